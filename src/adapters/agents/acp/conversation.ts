import { setTimeout as wait } from 'node:timers/promises'
import type { AgentError, AgentTurn, PermissionRequest } from '../../../ports/agent-driver.ts'
import { asObject, asWords, at, type Json, objectsIn } from '../json.ts'
import type { KnownAgent } from './known-agents.ts'
import { chooseMode, chooseModel, currentModel, greet, openAcpSession } from './session.ts'
import { askedFor, detailOf, mergedTool, type ToldByUpdates, Updates, type WatchedTool } from './updates.ts'
import { type Ears, openTalk, type Wire } from './wire.ts'

/** How a conversation went. */
export interface Said extends ToldByUpdates {
  /** The answer to the prompt, or why there is none; null: it was cut off. */
  ending: { answer: Json } | { error: AgentError } | null
  session: string | null
  model: string | null
  /** What only a human can allow. */
  asked: PermissionRequest | null
}

const quietMs = 250
const longestReplayMs = 10_000
const cancelMs = 3_000

/** One prompt, from the first greeting to the answer. */
export class Conversation {
  readonly #turn: AgentTurn
  readonly #known: KnownAgent
  readonly #updates: Updates
  readonly #said: Omit<Said, keyof ToldByUpdates>
  readonly talk: ReturnType<typeof openTalk>
  #isPrompted = false
  #heardAt = 0

  constructor(turn: AgentTurn, known: KnownAgent) {
    this.#turn = turn
    this.#known = known
    this.#updates = new Updates(turn.prompt.length, (event) => void turn.onEvent(event))
    const said: Omit<Said, keyof ToldByUpdates> = {
      ending: null,
      session: turn.session,
      model: turn.model,
      asked: null,
    }
    this.#said = said
    const ears: Ears = {
      onUpdate: (update) => {
        this.#heardAt = Date.now()
        this.#updates.hear(update)
      },
      onPermission: (params) => this.#mayIt(params),
      onAfterthought: (error) => {
        if (this.#isPrompted) said.ending = { error }
      },
      onRefusal: (error) => {
        said.ending = { error }
      },
    }
    this.talk = openTalk(ears, (wire) => this.#converse(wire))
  }

  isWaiting(): boolean {
    return this.#updates.isToolRunning()
  }

  /** Asks the agent to stop. */
  cancel(): void {
    if (this.#isPrompted) this.talk.notify('session/cancel', { sessionId: this.#said.session })
  }

  /** When the agent is gone. */
  async over(): Promise<Said> {
    await this.talk.over()
    this.#updates.finish()
    return { ...this.#said, ...this.#updates.told() }
  }

  /** Greeting, session, choices, prompt. */
  async #converse(wire: Wire): Promise<void> {
    const [turn, known, said] = [this.#turn, this.#known, this.#said]
    const line = { wire, known, hello: await greet(wire) }
    const opened = await openAcpSession(line, turn)
    said.session = opened.id
    await turn.onEvent({ type: 'session', session: opened.id })
    if (turn.session !== null && known.replaysLate) await this.#quiet()
    await chooseMode(line, opened, isFree(turn.onPermission))
    if (turn.model !== null && known.modelFlag === undefined) await chooseModel(line, opened, turn.model)
    said.model ??= currentModel(opened.offers)
    this.#updates.begin()
    this.#isPrompted = true
    const prompt = [{ type: 'text', text: turn.prompt }]
    const answer = await wire.ask('session/prompt', { sessionId: opened.id, prompt })
    // A failure after a good end is a failure; it may have come already.
    said.ending ??= { answer }
  }

  /** The session's past may come after the session is said to be there. */
  async #quiet(): Promise<void> {
    const since = Date.now()
    this.#heardAt = since
    while (Date.now() - this.#heardAt < quietMs && Date.now() - since < longestReplayMs) await wait(quietMs / 5)
  }

  /** Whether the agent may do what it wants to; what only a human can say ends the turn. */
  #mayIt(params: Json): Json {
    const [turn, said, updates] = [this.#turn, this.#said, this.#updates]
    const call = asObject(params.toolCall) ?? {}
    const id = asWords(call.toolCallId) ?? ''
    updates.hear(askedFor(params) ?? {})
    if (said.asked !== null || !this.#isPrompted) return cancelled
    const request = requestOf(updates.tool(id) ?? mergedTool(null, call))
    const answer = turn.onPermission(request)
    void turn.onEvent({ type: 'permission', request, answer })
    if (answer !== 'allow') updates.endTool(id, false, null)
    if (answer !== 'ask') return answerWith(answer, params)
    said.asked = request
    this.cancel()
    // It is over whether or not the agent does as it is told.
    setTimeout(this.talk.end, cancelMs).unref()
    return cancelled
  }
}

const kinds = ['read', 'edit', 'delete', 'move', 'search', 'execute', 'fetch', 'other']

/** Whether nothing at all has to be asked. */
const isFree = (may: AgentTurn['onPermission']): boolean => kinds.every((kind) => may({ kind, title: '' }) === 'allow')

const requestOf = (tool: WatchedTool): PermissionRequest => ({
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
