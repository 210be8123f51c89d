import { auto, type Driver, isProduct } from './drivers.ts'
import { type Problem, plainSource, readYaml, type Source, schemaProblems } from './problem.ts'
import { crossProblems } from './references.ts'
import { agentDefaults, type SettingsFile, type SettingsInput, settingsFile } from './schema.ts'
import type { AgentSettings, Settings } from './settings.ts'

/** One source of settings; later layers win. */
export interface Layer {
  /** `user`, `repository`, `flags` … as shown by `ropewalk config`. */
  name: string
  /** The file's name, for error messages. */
  place: string
  content: { text: string } | { value: unknown }
}

export type Loaded =
  | { ok: true; settings: Settings; origins: Record<string, string> }
  | { ok: false; problems: Problem[] }

export function loadSettings(layers: readonly Layer[]): Loaded {
  const read = layers.map(readLayer)
  const problems = read.flatMap((layer) => (layer.ok ? [] : layer.problems))
  if (problems.length > 0) return { ok: false, problems }
  const good = read.filter((layer) => layer.ok)
  const { file, origins } = mergeLayers(good)
  const settings = settled(file)
  const crossed = crossProblems({
    settings,
    file,
    origins,
    sources: new Map(good.map((layer) => [layer.name, layer.source])),
  })
  if (crossed.length > 0) return { ok: false, problems: crossed }
  return { ok: true, settings, origins: { ...defaultOrigins(settings), ...origins } }
}

type Read = { ok: true; name: string; file: SettingsInput; source: Source } | { ok: false; problems: Problem[] }

function readLayer(layer: Layer): Read {
  const read =
    'text' in layer.content
      ? readYaml(layer.content.text, layer.place)
      : { ok: true as const, source: plainSource(layer.content.value, layer.place) }
  if (!read.ok) return read
  // What it says counts, and no default: that would hide what a layer below says.
  const file = withoutEmptySections(read.source.value) as SettingsInput
  const parsed = settingsFile.safeParse(file)
  if (!parsed.success) return { ok: false, problems: schemaProblems(parsed.error.issues, read.source) }
  return { ok: true, name: layer.name, file, source: read.source }
}

/** `checks:` with every line below it commented out reads as null, and means nothing. */
function withoutEmptySections(value: unknown): unknown {
  if (value === null || value === undefined) return {}
  if (typeof value !== 'object' || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).filter(([, inner]) => inner !== null))
}

/** What the layers say, in the shape of settings, with defaults for the rest. */
function settled(file: NormalFile): Settings {
  const given = settingsFile.parse(file)
  const reviewers = given.review.reviewers?.map(({ vantage, agents = [] }) => ({ vantage, agents })) ?? null
  const roles = rolesOf(given)
  const products = [...Object.values(roles), ...(reviewers ?? []).map(({ agents }) => agents)]
    .flatMap((chain) => chain ?? [])
    .filter(isProduct)
  const written = Object.entries(given.agents).map(([name, agent]) => {
    // Its absence is one of the problems between keys.
    return [name, { ...(isProduct(name) && { driver: name }), ...agent } as AgentSettings]
  })
  return {
    ...given,
    // Those that are written down, and the products that only a role or a reviewer names.
    agents: Object.fromEntries([...products.map((name) => [name, plainAgent(name)]), ...written]),
    roles,
    review: { ...given.review, reviewers },
    checks: named(given.checks),
    workspace: { ...given.workspace, services: named(given.workspace.services) },
  }
}

const named = <One extends object>(table: Record<string, One>): ({ name: string } & One)[] =>
  Object.entries(table).map(([name, one]) => ({ name, ...one }))

/** An agent of which nobody has said more than what drives it. */
export const plainAgent = (driver: Driver): AgentSettings => ({ ...agentDefaults, driver })

/** A single agent needs no roles written down, none at all is found by itself, and who codes can plan. */
function rolesOf({ agents, roles }: SettingsFile): Settings['roles'] {
  const names = Object.keys(agents)
  const { coder = names.length === 1 ? names : names.length === 0 ? [auto] : [] } = roles
  const { planner = coder, testWriter = [], verifier = [], triager = [] } = roles
  const { interpreter = null, challenger = null } = roles
  return { coder, planner, testWriter, verifier, interpreter, challenger, triager }
}

function defaultOrigins(settings: Settings): Record<string, string> {
  const checks = Object.fromEntries(settings.checks.map(({ name, ...check }) => [name, check]))
  return Object.fromEntries(leaves({ ...settings, checks }, []).map((key) => [key, 'default']))
}

function leaves(value: unknown, path: string[]): string[] {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return [path.join('.')]
  return Object.entries(value).flatMap(([key, inner]) => leaves(inner, [...path, key]))
}

// Layers on top of each other, still in the file's shape, remembering which layer each key came from.

interface Layered {
  file: NormalFile
  /** Key path to the name of the layer that set it. */
  origins: Record<string, string>
}

/** A settings file in which no command stands for a mapping, so that a layer can add to what another says. */
type NormalFile = SettingsInput & {
  checks?: Record<string, object> | undefined
  setup?: object | undefined
}

function mergeLayers(layers: { name: string; file: SettingsInput }[]): Layered {
  const merged: Tree = {}
  const origins: Record<string, string> = {}
  for (const { name, file } of layers) overlay(merged, normal(file) as Tree, { path: [], name, origins })
  return { file: merged as NormalFile, origins }
}

function normal({ checks, setup, ...rest }: SettingsInput): object {
  const whole = (given: unknown): unknown => (typeof given === 'string' ? { run: given } : given)
  const written = Object.entries(checks ?? {}).map(([name, check]) => [name, whole(check)])
  return { ...rest, ...(checks && { checks: Object.fromEntries(written) }), setup: whole(setup) }
}

type Tree = { [key: string]: unknown }

interface Place {
  path: string[]
  name: string
  origins: Record<string, string>
}

function overlay(under: Tree, over: Tree, place: Place): void {
  for (const [key, value] of Object.entries(over)) {
    if (value === undefined) continue
    const path = [...place.path, key]
    if (!isTree(value)) {
      under[key] = value
      place.origins[path.join('.')] = place.name
      continue
    }
    if (!isTree(under[key]) || replaces(path, value)) {
      forget(path, place.origins)
      under[key] = {}
    }
    overlay(under[key] as Tree, value, { ...place, path })
  }
}

const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null && !Array.isArray(value)

/** An agent or check that says what it is starts afresh: half of one and half of another would be neither. */
const replaces = (path: string[], value: Tree): boolean =>
  (path[0] === 'agents' && path.length === 2 && Object.hasOwn(value, 'driver')) ||
  (path[0] === 'checks' && path.length === 2 && Object.hasOwn(value, 'run'))

function forget(path: string[], origins: Record<string, string>): void {
  const prefix = `${path.join('.')}.`
  for (const key of Object.keys(origins)) if (key.startsWith(prefix)) delete origins[key]
}
