import type { AgentErrorKind } from '../../ports/agent-driver.ts'
import { errorOf } from '../../proof/agents/failure.ts'
import type { Arguments } from './arguments.ts'
import { instructions } from './instructions.ts'
import type { Ending, Say } from './line.ts'
import { type CallOptions, type Message, openModel } from './model/api.ts'
import { waitForSlowModels } from './model/patience.ts'
import type { Meter } from './model/usage.ts'
import { openSession } from './session/session.ts'
import { submitTool } from './tools/submit.ts'
import { openTools, type Tools } from './tools/tools.ts'
import { type Ended, runTurn } from './turn.ts'

interface World {
  prompt: string
  workspace: string
  env: Record<string, string | undefined>
  signal: AbortSignal
  meter: Meter
  say: Say
}

/** Sees that everything is there before the first call, and goes. */
export async function startTurn(given: Arguments, world: World): Promise<Ended> {
  const { address, keyVariable, model, session: id } = given
  if (model === null) return refused('model', 'no model is set for the built-in agent')
  if (address.key === '') return refused('auth', `there is no key in ${keyVariable}`)
  if (world.prompt.trim() === '') return refused('bad-request', 'there is no prompt on standard input')
  const session = openSession({ home: given.home, id, resume: given.resume })
  if (session === null) return refused('session', `there is no session ${id}`)
  world.say({ type: 'session', session: id })
  waitForSlowModels()
  const { [keyVariable ?? '']: _, ...env } = world.env
  const resultFile = env.ROPEWALK_RESULT || null
  const { workspace, signal, meter, say, prompt } = world
  const { maxSteps, maxTurns, maxContextChars, maxOutputBytes } = given
  const submit = given.submit === null || resultFile === null ? null : submitTool(given.submit, resultFile)
  const tools = openTools(submit === null ? [] : [submit])
  return runTurn({
    ...{ session, prompt, meter, say, tools, maxSteps, maxTurns, maxContextChars },
    model: await openModel(address, model, meter.begun),
    callWith: (messages) => callOf({ messages, told: instructions(workspace, resultFile), model, tools }),
    place: { workspace, resultFile, env, maxOutputBytes, signal },
  })
}

const shared = {
  // Nothing is kept by the service: the whole history is sent each time.
  openai: { store: false },
}
const cached = { anthropic: { cacheControl: { type: 'ephemeral' } } }

/** The instructions and all up to the last message can be read from the cache the next time. */
function callOf(given: { messages: Message[]; told: string; model: string; tools: Tools }): CallOptions {
  const last = given.messages.length - 1
  return {
    prompt: [
      { role: 'system', content: given.told, providerOptions: cached },
      ...given.messages.map((message, at) => (at === last ? { ...message, providerOptions: cached } : message)),
    ],
    tools: given.tools.declared,
    // The library asks for the most that a Claude can write, and the service counts that as used of the window.
    ...(given.model.includes('claude') ? { maxOutputTokens: 32_000 } : {}),
    providerOptions: shared,
  }
}

function refused(kind: AgentErrorKind, message: string): Ended {
  const ending: Ending = { ok: false, error: errorOf(kind, { status: null, message, resetsAt: null }) }
  return { ending, text: '', model: null }
}
