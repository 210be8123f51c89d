import { setTimeout as wait } from 'node:timers/promises'
import type { AgentError, AgentTurn, PermissionRequest } from '../../../ports/agent-driver.ts'
import type { StandardInput } from '../../../ports/shell.ts'
import { asObject, asWords, at, type Json, objectsIn } from '../json.ts'
import type { KnownAgent } from './known-agents.ts'
import { chooseMode, chooseModel, currentModel, greet, openSession } from './session.ts'
import { askedFor, detailOf, merged, openUpdates, type ToldByUpdates, type Tool } from './updates.ts'
import { openWire, Refused, type Wire, WireClosed } from './wire.ts'

/** How a conversation went. */
export interface Said extends ToldByUpdates {
  /** The answer to the prompt, or why there is none; null: it was cut off. */
  ending: { answer: Json } | { error: AgentError } | null
  session: string | null
  model: string | null
  /** What only a human can allow. */
  asked: PermissionRequest | null
}

export interface Conversation {
  /** Begins as soon as there is somebody to talk to. */
  input(stdin: StandardInput): void
  onLine(line: string): void
  isWaiting(): boolean
  /** Everything has been said. */
  done: Promise<void>
  /** Asks the agent to stop. */
  cancel(): void
  /** When the agent is gone. Rejects only for what is not the agent's doing. */
  over(): Promise<Said>
}

const quietMs = 250
const longestReplayMs = 10_000
const cancelMs = 3_000

/** One prompt, from the first greeting to the answer. */
export function openConversation(turn: AgentTurn, known: KnownAgent): Conversation {
  const updates = openUpdates(turn.prompt.length, (event) => void turn.onEvent(event))
  const said: Omit<Said, keyof ToldByUpdates> = { ending: null, session: turn.session, model: turn.model, asked: null }
  let wire: Wire | null = null
  let talking: Promise<void> = Promise.resolve()
  let isPrompted = false
  let heardAt = 0
  let end = (): void => {}
  const done = new Promise<void>((resolve) => {
    end = resolve
  })

  /** Greeting, session, choices, prompt. */
  async function converse(on: Wire): Promise<void> {
    const line = { wire: on, known, hello: await greet(on) }
    const opened = await openSession(line, { session: turn.session, cwd: turn.workspace, submit: turn.submit })
    said.session = opened.id
    await turn.onEvent({ type: 'session', session: opened.id })
    if (turn.session !== null && known.replaysLate) await quiet()
    await chooseMode(line, opened, isFree(turn.onPermission))
    if (turn.model !== null && known.modelFlag === null) await chooseModel(line, opened, turn.model)
    said.model ??= currentModel(opened.offers)
    updates.begin()
    isPrompted = true
    const prompt = [{ type: 'text', text: turn.prompt }]
    const answer = await on.ask('session/prompt', { sessionId: opened.id, prompt })
    // A failure after a good end is a failure; it may have come already.
    said.ending ??= { answer }
  }

  /** The session's past may come after the session is said to be there. */
  async function quiet(): Promise<void> {
    const since = Date.now()
    heardAt = since
    while (Date.now() - heardAt < quietMs && Date.now() - since < longestReplayMs) await wait(quietMs / 5)
  }

  /** Whether the agent may do what it wants to; what only a human can say ends the turn. */
  function mayIt(params: Json): Json {
    const call = asObject(params.toolCall) ?? {}
    const id = asWords(call.toolCallId) ?? ''
    updates.hear(askedFor(params) ?? {})
    if (said.asked !== null || !isPrompted) return cancelled
    const request = requestOf(updates.tool(id) ?? merged(null, call))
    const answer = turn.onPermission(request)
    void turn.onEvent({ type: 'permission', request, answer })
    if (answer !== 'allow') updates.endTool(id, false)
    if (answer !== 'ask') return answerWith(answer, params)
    said.asked = request
    cancel()
    // It is over whether or not the agent does as it is told.
    setTimeout(end, cancelMs).unref()
    return cancelled
  }

  const cancel = (): void => {
    if (isPrompted) wire?.notify('session/cancel', { sessionId: said.session })
  }

  async function talk(on: Wire, stdin: StandardInput): Promise<void> {
    try {
      await converse(on)
    } catch (error) {
      if (error instanceof Refused) said.ending = { error: error.error }
      else if (!(error instanceof WireClosed)) throw error
    } finally {
      updates.finish()
      stdin.end()
      end()
    }
  }

  return {
    input(stdin) {
      wire = openWire(stdin, {
        onUpdate(update) {
          heardAt = Date.now()
          updates.hear(update)
        },
        onPermission: mayIt,
        onAfterthought(error) {
          if (isPrompted) said.ending = { error }
        },
      })
      talking = talk(wire, stdin)
      // Looked at when the agent is gone; until then it must not count as unhandled.
      talking.catch(() => {})
    },
    onLine: (line) => wire?.hear(line),
    isWaiting: () => updates.isToolRunning(),
    done,
    cancel,
    async over() {
      // What it has answered is still to be thought about.
      await wait(0)
      wire?.close()
      await talking
      return { ...said, ...updates.told() }
    },
  }
}

const kinds = ['read', 'edit', 'delete', 'move', 'search', 'execute', 'fetch', 'other']

/** Whether nothing at all has to be asked. */
const isFree = (may: AgentTurn['onPermission']): boolean => kinds.every((kind) => may({ kind, title: '' }) === 'allow')

const requestOf = (tool: Tool): PermissionRequest => ({
  kind: kinds.includes(tool.kind) ? tool.kind : 'other',
  title: detailOf(tool) || tool.kind,
})

const cancelled: Json = { outcome: { outcome: 'cancelled' } }

/** What the agent wants to hear. Once before always: each time is asked anew. Cancelled when it offers no such thing. */
function answerWith(answer: 'allow' | 'deny', params: Json): Json {
  const prefix = answer === 'allow' ? 'allow' : 'reject'
  const options = objectsIn(params.options)
  const found = [`${prefix}_once`, `${prefix}_always`].flatMap((kind) => options.filter((one) => one.kind === kind))[0]
  const optionId = asWords(at(found, 'optionId'))
  return optionId === null ? cancelled : { outcome: { outcome: 'selected', optionId } }
}
