import type { AgentError } from '../../../ports/agent-driver.ts'
import { oneLine } from '../../../std/text/plain-text.ts'
import { failed } from '../failure.ts'
import type { Arguments } from './arguments.ts'
import { callsIn, charsIn, messagesOf, shortenBefore } from './history.ts'
import type { ProgramEnding, Say } from './line.ts'
import type { CallOptions, Model, ToolCall } from './model/api.ts'
import { isContextTooLong, modelFailure } from './model/failure.ts'
import { type ModelStep, takeStep } from './model/step.ts'
import type { Meter } from './model/usage.ts'
import type { SessionFile } from './session.ts'
import type { ToolPlace } from './tools/place.ts'
import type { Tools } from './tools/tools.ts'

export interface ModelTurn extends Pick<Arguments, 'maxSteps' | 'maxTurns' | 'maxContextChars'> {
  model: Model
  /** What is the same in each call: instructions, tools, options. */
  callWith: (messages: CallOptions['prompt']) => CallOptions
  session: SessionFile
  prompt: string
  place: ToolPlace
  tools: Tools
  meter: Meter
  say: Say
}

export interface EndedTurn {
  ending: ProgramEnding
  text: string
  model: string | null
}

const shownOutputChars = 2000
const mostCutAnswers = 3

/** From a prompt to the model's last word: call the model, do what it asks for, and again. */
export async function runTurn(turn: ModelTurn): Promise<EndedTurn> {
  const ended: EndedTurn = { ending: { ok: true }, text: '', model: null }
  const failing = (error: AgentError): EndedTurn => ({ ...ended, ending: { ok: false, error } })
  let cutAnswers = 0
  ask(turn)
  for (let step = 0; step < turn.maxSteps; step++) {
    if (step === turn.maxTurns) return failing(failed('turns', `the model was asked ${step} times`))
    turn.say({ type: 'model-asked' })
    const taken = await nextStep(turn)
    if ('error' in taken) return failing(taken.error)
    const { content, finish, model } = taken.step
    ended.model = model ?? ended.model
    ended.text = textOf(content) || ended.text
    turn.session.add({ kind: 'assistant', content })
    turn.say({ type: 'usage', usage: turn.meter.total() })
    const calls = callsIn(content)
    for (const call of calls) await answer(call, turn)
    cutAnswers = finish === 'length' ? cutAnswers + 1 : 0
    const refused = refusal(finish, cutAnswers)
    if (refused !== null) return failing(refused)
    if (finish === 'length')
      turn.session.add({ kind: 'user', text: 'That was cut off: too long. Go on in smaller pieces.' })
    else if (calls.length === 0) return ended
  }
  return failing(failed('stuck', `not finished after ${turn.maxSteps} steps`))
}

/** A turn that failed before the model had answered may be started again: then the prompt is there already. */
function ask({ session, prompt }: ModelTurn): void {
  const last = session.entries.at(-1)
  if (last?.kind !== 'user' || last.text !== prompt) session.add({ kind: 'user', text: prompt })
}

/** A model that was sent too much is asked again with less; everything else that fails is for others to try again. */
async function nextStep(turn: ModelTurn): Promise<{ step: ModelStep } | { error: AgentError }> {
  if (charsIn(turn.session.entries) > turn.maxContextChars) shorten(turn, turn.maxContextChars)
  for (let attempt = 1; ; attempt++) {
    const { model, say, meter, session } = turn
    try {
      return { step: await takeStep({ model, say, meter, call: turn.callWith(messagesOf(session.entries)) }) }
    } catch (thrown) {
      const error = modelFailure(thrown, Date.now())
      if (!isContextTooLong(error) || !shorten(turn, charsIn(session.entries))) return { error }
      say({ type: 'retry', attempt, status: error.status, delayMs: 0 })
    }
  }
}

function shorten({ session }: ModelTurn, maxChars: number): boolean {
  const before = shortenBefore(session.entries, maxChars)
  if (before !== null) session.add({ kind: 'shortened', before })
  return before !== null
}

async function answer(call: ToolCall, { say, session, place, tools }: ModelTurn): Promise<void> {
  const id = call.toolCallId
  say({ type: 'tool-started', id, name: call.toolName, detail: oneLine(JSON.stringify(call.input)) })
  const { ok, text } = await tools.run(call, place)
  session.add({ kind: 'tool', id, ok, output: text })
  say({ type: 'tool-ended', id, ok, output: text.slice(0, shownOutputChars) })
}

function refusal(finish: ModelStep['finish'], cutAnswers: number): AgentError | null {
  if (finish === 'content-filter') return failed('bad-request', 'the model service refused to answer')
  if (finish === 'error') return failed('unknown', 'the model service ended with an error')
  if (cutAnswers <= mostCutAnswers) return null
  return failed('bad-request', `${cutAnswers} answers in a row were too long and cut off`)
}

const textOf = (content: ModelStep['content']): string =>
  content.map((part) => (part.type === 'text' ? part.text : '')).join('')
