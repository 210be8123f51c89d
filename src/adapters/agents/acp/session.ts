import type { AgentTurn } from '../../../ports/agent-driver.ts'
import { failed } from '../failure.ts'
import { asList, asObject, asWords, at, type Json, objectsIn } from '../json.ts'
import { notLoaded } from './failure.ts'
import type { KnownAgent } from './known-agents.ts'
import { Refused, type Wire } from './wire.ts'

export interface Contact {
  wire: Wire
  known: KnownAgent
  /** What it told about itself. */
  hello: Json
}

const protocolVersion = 1

/** We only watch: files and commands are the agent's own business, and failures are wanted with their names. */
export async function greet(wire: Wire): Promise<Json> {
  const air = { version: 1, capabilities: ['sessionFailure'] }
  const hello = await wire.ask('initialize', {
    protocolVersion,
    clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, _meta: { jetbrains: { air } } },
    clientInfo: { name: 'ropewalk', version: '1' },
  })
  if (hello.protocolVersion === protocolVersion) return hello
  throw refusal('spawn', `it does not speak version ${protocolVersion} of ACP, but ${String(hello.protocolVersion)}`)
}

const refusal = (kind: 'spawn' | 'session' | 'model' | 'unknown', message: string): Refused =>
  new Refused(failed(kind, message))

interface Session {
  id: string
  /** What can be chosen in it. */
  offers: Json
}

type OpenedTurn = Pick<AgentTurn, 'session' | 'workspace' | 'submit'>

/** The session that is opened or gone on with. */
export async function openAcpSession(line: Contact, turn: OpenedTurn): Promise<Session> {
  const { session, workspace, submit } = turn
  const server = submit === null ? [] : [{ name: 'ropewalk', command: submit.program, args: submit.args, env: [] }]
  const place = { cwd: workspace, mcpServers: server }
  if (session !== null) return { id: session, offers: await load(line, { sessionId: session, ...place }) }
  const offers = await signedIn(line, () => line.wire.ask('session/new', place))
  const id = asWords(offers.sessionId)
  if (id === null) throw refusal('unknown', 'it opened a session without a name')
  return { id, offers }
}

async function load(line: Contact, params: Json): Promise<Json> {
  if (at(line.hello, 'agentCapabilities', 'loadSession') !== true)
    throw refusal('session', 'the agent cannot go on with a session')
  return signedIn(line, () => line.wire.ask('session/load', params, notLoaded))
}

/** Some want to be told in each process to use the sign-in that they have. */
async function signedIn({ wire, known, hello }: Contact, open: () => Promise<Json>): Promise<Json> {
  try {
    return await open()
  } catch (error) {
    const offered = authMethods(hello).some(({ id }) => id === known.signIn)
    if (!(error instanceof Refused && error.error.kind === 'auth' && offered)) throw error
    await wire.ask('authenticate', { methodId: known.signIn })
    return open()
  }
}

export const authMethods = (hello: Json): Json[] => objectsIn(hello.authMethods)

/** Modes in which an agent never asks, by the names that they have. */
const freeModes = ['bypassPermissions', 'agent-full-access', 'yolo']

/** The mode that fits what may be done. Where it cannot be had, the agent asks, and is answered. */
export async function chooseMode(line: Contact, { id, offers }: Session, isFree: boolean): Promise<void> {
  const wanted = isFree ? [line.known.modes?.free, ...freeModes] : [line.known.modes?.asks]
  const offered = objectsIn(at(offers, 'modes', 'availableModes')).map((mode) => mode.id)
  const modeId = wanted.find((mode) => offered.includes(mode ?? null))
  if (modeId !== undefined && modeId !== at(offers, 'modes', 'currentModeId'))
    await willing(line.wire.ask('session/set_mode', { sessionId: id, modeId }))
  const all = objectsIn(offers.configOptions).find((option) => option.id === 'allow_all')
  if (all !== undefined) await willing(choose(line, id, [all, isFree ? 'on' : 'off']))
}

/** Asks for a model. That it cannot be had is no detail: another one would do the work. */
export async function chooseModel(line: Contact, { id, offers }: Session, model: string): Promise<void> {
  const option = modelOption(offers)
  const hasOlder = option === undefined && asObject(offers.models) !== null
  const offered = option === undefined ? at(offers, 'models', 'availableModels') : optionsWithin(option)
  const names = asList(offered).flatMap((one) => asWords(at(one, option === undefined ? 'modelId' : 'value')) ?? [])
  if ((option === undefined && !hasOlder) || (names.length > 0 && !names.includes(model))) {
    const what = names.length === 0 ? 'no choice of models' : names.slice(0, 20).join(', ')
    throw refusal('model', `the agent does not offer the model ${model}; it offers ${what}`)
  }
  if (option !== undefined) await choose(line, id, [option, model])
  else await line.wire.ask('session/set_model', { sessionId: id, modelId: model })
}

/** The model that a session has when nothing is chosen. */
export const currentModel = (offers: Json): string | null =>
  asWords(modelOption(offers)?.currentValue) ?? asWords(at(offers, 'models', 'currentModelId'))

const modelOption = (offers: Json): Json | undefined =>
  objectsIn(offers.configOptions).find((option) => option.category === 'model' || option.id === 'model')

/** They may be in groups. */
const optionsWithin = (option: Json): unknown[] =>
  asList(option.options).flatMap((one) => [one, ...asList(at(one, 'options'))])

function choose({ wire }: Contact, sessionId: string, [option, value]: [Json, string]): Promise<Json> {
  const chosen = option.type === 'boolean' ? { type: 'boolean', value: value === 'on' } : { value }
  return wire.ask('session/set_config_option', { sessionId, configId: option.id, ...chosen })
}

async function willing(asked: Promise<Json>): Promise<void> {
  await asked.catch((error: unknown) => {
    if (!(error instanceof Refused)) throw error
  })
}
