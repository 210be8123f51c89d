import type { ClientContext } from '@agentclientprotocol/sdk'
import type { AgentError, AgentTurn } from '../../../ports/agent-driver.ts'
import { errorOf } from '../../../proof/agents/failure.ts'
import type { KnownAgent } from '../known-agents.ts'
import { notLoaded, type Refusal, refused } from '../told/failure.ts'
import { asObject, asText, at, type Json, objectsIn } from '../told/json.ts'

/** The agent says no; what it means is in `error`. */
export class Refused extends Error {
  override name = 'Refused'
  readonly error: AgentError
  constructor(error: AgentError) {
    super(error.message)
    this.error = error
  }
}

export interface Line {
  agent: ClientContext
  known: KnownAgent
  /** What it told about itself. */
  hello: Json
}

/** An error that the agent has answered with, as opposed to one of ours. */
export const refusalIn = (error: unknown): Refusal | null =>
  error instanceof Error && error.name === 'RequestError' ? (error as Error & Refusal) : null

type Meaning = (refusal: Refusal) => AgentError

/** What its no means depends on what was asked. */
const asking =
  (meant: Meaning) =>
  async (agent: ClientContext, method: string, params: Json): Promise<Json> => {
    try {
      return asObject(await agent.request<unknown, Json>(method, params)) ?? {}
    } catch (error) {
      const refusal = refusalIn(error)
      throw refusal === null ? error : new Refused(meant(refusal))
    }
  }

export const ask = asking(refused)
const askToLoad = asking(notLoaded)

const protocolVersion = 1

/** We only watch: files and commands are the agent's own business, and failures are wanted with their names. */
export async function greet(agent: ClientContext): Promise<Json> {
  const air = { version: 1, capabilities: ['sessionFailure'] }
  const hello = await ask(agent, 'initialize', {
    protocolVersion,
    clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, _meta: { jetbrains: { air } } },
    clientInfo: { name: 'ropewalk', version: '1' },
  })
  if (hello.protocolVersion === protocolVersion) return hello
  const message = `it does not speak version ${protocolVersion} of ACP, but ${String(hello.protocolVersion)}`
  throw new Refused(errorOf('spawn', { status: null, message, resetsAt: null }))
}

/** The session that is opened or gone on with, and what can be chosen in it. */
export async function openSession(
  line: Line,
  { session, cwd, submit }: { session: string | null; cwd: string; submit: AgentTurn['submit'] },
): Promise<{ id: string; offers: Json }> {
  const place = { cwd, mcpServers: serversOf(submit) }
  if (session !== null) return { id: session, offers: await load(line, { sessionId: session, ...place }) }
  const offers = await signedIn(line, () => ask(line.agent, 'session/new', place))
  const id = asText(offers.sessionId)
  if (id !== null) return { id, offers }
  throw new Refused(errorOf('unknown', { status: null, message: 'it opened a session without a name', resetsAt: null }))
}

const serversOf = (submit: AgentTurn['submit']): Json[] =>
  submit === null ? [] : [{ name: 'ropewalk', command: submit.program, args: submit.args, env: [] }]

async function load(line: Line, params: Json): Promise<Json> {
  if (at(line.hello, 'agentCapabilities', 'loadSession') === true)
    return signedIn(line, () => askToLoad(line.agent, 'session/load', params))
  const message = 'the agent cannot go on with a session'
  throw new Refused(errorOf('session', { status: null, message, resetsAt: null }))
}

/** Some want to be told in each process to use the sign-in that they have. */
async function signedIn(line: Line, open: () => Promise<Json>): Promise<Json> {
  const { agent, known, hello } = line
  try {
    return await open()
  } catch (error) {
    const offered = authMethods(hello).some(({ id }) => id === known.signIn)
    if (!(error instanceof Refused && error.error.kind === 'auth' && offered)) throw error
    await ask(agent, 'authenticate', { methodId: known.signIn })
    return open()
  }
}

export const authMethods = (hello: Json): Json[] => objectsIn(hello.authMethods)
