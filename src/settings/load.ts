import { agentDefaults, checkDefaults, defaults, plainAgent, serviceDefaults, setupDefaults } from './defaults.ts'
import { auto, isProduct } from './drivers.ts'
import { readYaml } from './files/read-yaml.ts'
import { mergeLayers, type NormalFile } from './merge.ts'
import { type Problem, plainSource, type Source, schemaProblems } from './problem.ts'
import { crossProblems } from './references.ts'
import { type SettingsFile, settingsFile } from './schema.ts'
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
  const settings = withDefaults(file)
  const crossed = crossProblems({
    settings,
    file,
    origins,
    sources: new Map(good.map((layer) => [layer.name, layer.source])),
  })
  if (crossed.length > 0) return { ok: false, problems: crossed }
  return { ok: true, settings, origins: { ...defaultOrigins(settings), ...origins } }
}

type Read = { ok: true; name: string; file: SettingsFile; source: Source } | { ok: false; problems: Problem[] }

function readLayer(layer: Layer): Read {
  const read =
    'text' in layer.content
      ? readYaml(layer.content.text, layer.place)
      : { ok: true as const, source: plainSource(layer.content.value, layer.place) }
  if (!read.ok) return read
  const parsed = settingsFile.safeParse(withoutEmptySections(read.source.value))
  if (!parsed.success) return { ok: false, problems: schemaProblems(parsed.error.issues, read.source) }
  return { ok: true, name: layer.name, file: parsed.data, source: read.source }
}

/** `checks:` with every line below it commented out reads as null, and means nothing. */
function withoutEmptySections(value: unknown): unknown {
  if (value === null || value === undefined) return {}
  if (typeof value !== 'object' || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).filter(([, inner]) => inner !== null))
}

function withDefaults(file: NormalFile): Settings {
  const checks = Object.entries(file.checks ?? {}).map(([name, check]) => ({
    name,
    ...checkDefaults,
    ...check,
    run: check.run ?? '',
  }))
  const roles = rolesOf(file)
  const settings = {
    ...defaults,
    ...file,
    agents: agentsOf(file, roles),
    roles,
    checks,
    setup: file.setup === undefined ? null : { ...setupDefaults, ...file.setup, run: file.setup.run ?? '' },
    workspace: workspaceOf(file),
    review: reviewOf(file),
  }
  const groups = ['keep', 'intent', 'limits', 'ceilings', 'routing', 'tests'] as const
  return Object.assign(settings, ...groups.map((key) => ({ [key]: { ...defaults[key], ...file[key] } }))) as Settings
}

/** Who is not named for a vantage point is chosen when all agents are known. */
function reviewOf({ review = {} }: NormalFile): Settings['review'] {
  const reviewers = review.reviewers?.map(({ vantage, agents = [] }) => ({
    vantage,
    agents: typeof agents === 'string' ? [agents] : agents,
  }))
  return { ...defaults.review, ...review, reviewers: reviewers ?? null } as Settings['review']
}

function workspaceOf({ workspace = {} }: NormalFile): Settings['workspace'] {
  const services = Object.entries(workspace.services ?? {}).map(([name, service]) => ({
    ...{ name, ...serviceDefaults },
    ...service,
  }))
  return { ...defaults.workspace, ...workspace, services } as Settings['workspace']
}

/** Those that are written down, and the products that only a role or a reviewer names. */
function agentsOf(file: NormalFile, roles: Settings['roles']): Record<string, AgentSettings> {
  const written = Object.entries(file.agents ?? {}).map(([name, agent]) => {
    const driver = isProduct(name) ? { driver: name } : {}
    return [name, { ...agentDefaults, ...driver, ...agent }]
  })
  const reviewers = (reviewOf(file).reviewers ?? []).map(({ agents }) => agents)
  const named = [...Object.values(roles), ...reviewers]
    .flatMap((chain) => chain ?? [])
    .filter(isProduct)
    .map((name) => [name, plainAgent(name)])
  return Object.fromEntries([...named, ...written])
}

/** A single agent needs no roles written down, none at all is found by itself, and who codes can plan. */
function rolesOf(file: NormalFile): Settings['roles'] {
  const names = Object.keys(file.agents ?? {})
  const coder = file.roles?.coder ?? (names.length === 1 ? names : names.length === 0 ? [auto] : [])
  const { planner = coder, testWriter = [], verifier = [], triager = [] } = file.roles ?? {}
  const { interpreter = null, challenger = null } = file.roles ?? {}
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
