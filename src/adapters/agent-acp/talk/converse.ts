import { setTimeout as wait } from 'node:timers/promises'
import type { ClientContext } from '@agentclientprotocol/sdk'
import type { AgentError, AgentTurn, PermissionRequest } from '../../../ports/agent-driver.ts'
import type { KnownAgent } from '../known-agents.ts'
import { refused } from '../told/failure.ts'
import { asNumber, asObject, asText, type Json } from '../told/json.ts'
import { askedFor, merged, type Told, type Updates } from '../told/updates.ts'
import { chooseMode, chooseModel, currentModel } from './choices.ts'
import { answerWith, cancelled, isFree, requestOf } from './permission.ts'
import { ask, greet, openSession } from './session.ts'

/** How a conversation went. */
export interface Said extends Told {
  /** The answer to the prompt, or why there is none; null: it was cut off. */
  ending: { answer: Json } | { error: AgentError } | null
  session: string | null
  model: string | null
  /** What only a human can allow. */
  asked: PermissionRequest | null
}

/** A conversation as it stands. */
export interface Talk {
  turn: AgentTurn
  known: KnownAgent
  updates: Updates
  said: Omit<Said, keyof Told>
  agent: ClientContext | null
  isPrompted: boolean
  heardAt: number
  /** What it has answered after its answer. */
  afterthought: AgentError | null
  /** Nothing more is to be said. */
  end: () => void
}

/** Greeting, session, choices, prompt. */
export async function converse(talk: Talk, agent: ClientContext): Promise<void> {
  const { turn, known, said, updates } = talk
  const line = { agent, known, hello: await greet(agent) }
  const opened = await openSession(line, { session: turn.session, cwd: turn.workspace, submit: turn.submit })
  said.session = opened.id
  await turn.onEvent({ type: 'session', session: opened.id })
  if (turn.session !== null && known.replaysLate) await quiet(talk)
  await chooseMode(line, opened, isFree(turn.onPermission))
  if (turn.model !== null && known.modelFlag === null) await chooseModel(line, opened, turn.model)
  said.model ??= currentModel(opened.offers)
  updates.begin()
  talk.isPrompted = true
  const prompt = [{ type: 'text', text: turn.prompt }]
  said.ending = { answer: await ask(agent, 'session/prompt', { sessionId: opened.id, prompt }) }
}

const quietMs = 250
const longestReplayMs = 10_000

/** The session's past may come after the session is said to be there. */
async function quiet(talk: Talk): Promise<void> {
  const since = Date.now()
  talk.heardAt = since
  while (Date.now() - talk.heardAt < quietMs && Date.now() - since < longestReplayMs) await wait(quietMs / 5)
}

const cancelMs = 3_000

/** Whether the agent may do what it wants to; what only a human can say ends the turn. */
export function mayIt(talk: Talk, params: Json): Json {
  const { turn, said, updates } = talk
  const call = asObject(params.toolCall) ?? {}
  const id = asText(call.toolCallId) ?? ''
  updates.hear(askedFor(params) ?? {})
  if (said.asked !== null || !talk.isPrompted) return cancelled
  const request = requestOf(updates.tool(id) ?? merged(null, call))
  const answer = turn.onPermission(request)
  void turn.onEvent({ type: 'permission', request, answer })
  if (answer !== 'allow') updates.endTool(id, false)
  if (answer !== 'ask') return answerWith(answer, params)
  said.asked = request
  stop(talk)
  // It is over whether or not the agent does as it is told.
  setTimeout(talk.end, cancelMs).unref()
  return cancelled
}

/** Asks the agent to stop what it was prompted to do. */
export function stop({ agent, isPrompted, said }: Talk): void {
  if (isPrompted) void agent?.notify('session/cancel', { sessionId: said.session }).catch(() => {})
}

/** A failure after a good end is a failure. */
export function thinkAgain(talk: Talk, { code, message, data }: Json): void {
  if (talk.isPrompted) talk.afterthought = refused({ code: asNumber(code) ?? 0, message: asText(message) ?? '', data })
}
