import { accessSync, constants, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { TerminalError } from '../../ports/errors.ts'
import type { Checkout, Repository } from '../../ports/repository/repository.ts'
import { type Layer, type Loaded, loadSettings } from '../../settings/load.ts'
import type { Facts } from '../../settings/policy.ts'
import { describeProblem, type Problem } from '../../settings/problem.ts'
import type { AgentSettings, Settings } from '../../settings/settings.ts'
import type { Visit } from '../world.ts'

export const configName = 'ropewalk.yaml'

export interface Flags {
  target?: string | undefined
  gates?: string | undefined
  maxUsd?: string | undefined
  /** The target where neither flags nor settings name one; null: what is checked out. */
  otherwise?: (checkout: Checkout) => string | null
}

export interface LayeredSettings {
  settings: Settings
  origins: Record<string, string>
  target: string
  base: string
  warnings: string[]
}

/** The repository that the visitor stands in, our clone of it, and the settings that count there. */
export async function readEverything({ world, folder }: Visit, flags: Flags, home: string) {
  const repositories = await world.repositories(home)
  const repository = await repositories.find(folder)
  const clone = await repositories.open(repository)
  const checkout = await clone.checkout()
  const here = { repository, clone, checkout }
  return { ...here, layered: await layeredSettings({ userFile: world.userFile, flags, ...here }) }
}

/** Outside a repository (`here` null) there are still the user's own settings. `root`: where agents would be started. */
export async function settingsHere(visit: Visit, flags: Flags) {
  const { world, folder } = visit
  const repositories = await world.repositories(world.home)
  const here = await repositories.find(folder).catch((error: unknown) => {
    if (error instanceof TerminalError) return null
    throw error
  })
  if (here !== null) {
    const { layered, clone } = await readEverything(visit, flags, world.home)
    return { ...layered, root: here.path, here: { clone, base: layered.base } }
  }
  const warnings = ['this is not a git repository with a commit, so only the user file and the defaults are shown']
  return { ...userSettings(visit, flags), warnings, root: folder, here: null }
}

/** Those of this machine's user, whatever a repository says. */
export const userSettings = ({ world: { userFile } }: Pick<Visit, 'world'>, flags: Flags = {}) =>
  orThrow(loadSettings(layers({ userFile, flags }, null)))

/** What this machine and whoever sits at it add to the settings. */
export const factsHere = (currentBranch: string, unattended: boolean): Facts => ({
  ...{ cores: availableParallelism(), currentBranch, unattended },
  utcOffsetMinutes: -new Date().getTimezoneOffset(),
})

interface Source {
  userFile: string
  flags: Flags
  repository: { path: string }
  clone: Repository
  checkout: Checkout
}

/** The settings of a delivery: user file, the repository's file at the base commit, flags. */
async function layeredSettings(source: Source): Promise<LayeredSettings> {
  const root = source.repository.path
  const working = textOf(join(root, configName))
  const target = targetOf(source, working)
  const base = await source.clone.fetchTarget(target)
  const committed = await source.clone.readFile(base, configName)
  const { text, warnings } = pickText({ committed, working, target, dirty: source.checkout.dirtyFiles })
  const { settings, origins } = orThrow(loadSettings(layers(source, text)))
  return { settings: withPaths(settings, root), origins, target, base, warnings }
}

/** Which branch it is about must be known before the branch can be read. */
function targetOf(source: Source, working: string | null): string {
  const loaded = loadSettings(layers(source, working))
  const { flags, checkout } = source
  const named = flags.target ?? (loaded.ok ? loaded.settings.target : null)
  const target = named ?? flags.otherwise?.(checkout) ?? checkout.branch
  if (target !== null) return target
  throw new TerminalError(
    'HEAD is detached, so there is no branch to land on',
    'check out a branch, or name one with --target <branch>',
  )
}

/** Committed settings count; those that are not committed yet are used, and said to be. */
export function pickText({
  committed,
  working,
  target,
  dirty,
}: Record<'committed' | 'working', string | null> & { target: string; dirty: string[] }) {
  const used = (text: string | null, ...warnings: string[]) => ({ text, warnings })
  if (working === null || working === committed) return used(committed)
  if (committed === null)
    return used(working, `${configName} is not committed on ${target}: the one in your working tree is used`)
  if (dirty.includes(configName)) return used(working, `${configName} has uncommitted changes: they are used`)
  const differs = `${configName} on ${target} differs from the one you have checked out: that of ${target} is used`
  return used(committed, differs)
}

function layers({ userFile, flags }: { userFile: string; flags: Flags }, repository: string | null): Layer[] {
  const user = textOf(userFile)
  return [
    ...(user === null ? [] : [{ name: 'user', place: userFile, content: { text: user } }]),
    ...(repository === null ? [] : [{ name: 'repository', place: configName, content: { text: repository } }]),
    { name: 'flags', place: 'the command line', content: { value: flagValues(flags) } },
  ]
}

function flagValues({ target, gates, maxUsd }: Flags): object {
  return {
    ...(target === undefined ? {} : { target }),
    ...(gates === undefined ? {} : { gates }),
    ...(maxUsd === undefined ? {} : { ceilings: { usdPerDelivery: amount(maxUsd) } }),
  }
}

export function amount(text: string): number {
  const usd = Number(text)
  if (text.trim() !== '' && Number.isFinite(usd) && usd >= 0) return usd
  throw new TerminalError(`--max-usd ${text} is not an amount`, 'give US dollars as a number of at least 0')
}

function orThrow(loaded: Loaded): Extract<Loaded, { ok: true }> {
  if (loaded.ok) return loaded
  throw problemsError('the settings cannot be used', loaded.problems, 'fix them and run this again')
}

export function problemsError(what: string, problems: Problem[], remedy: string): TerminalError {
  return new TerminalError([`${what}:`, ...problems.map((one) => `  ${describeProblem(one)}`)].join('\n'), remedy)
}

const textOf = (path: string): string | null => (existsSync(path) ? readFileSync(path, 'utf8') : null)

/** A program or script named by a relative path is the repository's own, wherever the agent will run. */
function withPaths(settings: Settings, root: string): Settings {
  const agents = Object.entries(settings.agents).map(([name, agent]) => [name, agentWithPaths(agent, root)])
  return { ...settings, agents: Object.fromEntries(agents) }
}

function agentWithPaths(agent: AgentSettings, root: string): AgentSettings {
  const [program, ...args] = agent.command ?? []
  return {
    ...agent,
    command: program === undefined ? agent.command : [program.includes('/') ? below(root, program) : program, ...args],
    script: agent.script === null ? null : below(root, agent.script),
  }
}

function below(root: string, path: string): string {
  const whole = join(root, path)
  return !isAbsolute(path) && existsSync(whole) ? whole : path
}

/** Before anything is begun there: our home can be made and written to. */
export function requireHome(home: string): void {
  try {
    mkdirSync(home, { recursive: true, mode: 0o700 })
    accessSync(home, constants.W_OK)
  } catch (error) {
    const { message } = error as Error
    throw new TerminalError(
      `cannot write to ${home}: ${message}`,
      'point ROPEWALK_HOME at a folder that you may write to',
    )
  }
}
