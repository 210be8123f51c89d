import { existsSync, lstatSync, realpathSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Need } from '../../delivery/policy.ts'
import { borrowedObjects } from '../../ports/repository/workspaces.ts'
import type { Confinement, Elsewhere, Exit } from '../../ports/shell.ts'
import { type Running, raiseOnce } from '../work.ts'

export interface PinnedLine {
  run: string
  /** The place that it runs in, or a folder in it. */
  cwd: string
  site: Partial<Site> & Pick<Site, 'place'>
  timeoutMs: number
  /** The name of the file that its output goes to. */
  spool: string
  onLine: ((line: string) => void) | null
  /** Further variables of its environment. */
  env?: Record<string, string>
}

/** A pinned command in one of our places. Rejects when the step was aborted. */
export const runPinned = (work: Running, line: PinnedLine): Promise<Exit & { spool: string }> =>
  runBare(work, { ...line, env: { ...work.world.holdings.environmentOf(line.cwd), ...line.env } })

/** The same in an environment that does not tell one place from another. */
export async function runBare(
  work: Running,
  { run, cwd, site, timeoutMs, spool, onLine, env }: PinnedLine,
): Promise<Exit & { spool: string }> {
  const { world, input, mark, signal } = work
  const path = world.places.spool(input.delivery, spool)
  const confine = await confinementIn(work, { ...plain, ...site })
  const exit = await world.shell.run({
    ...{ ...silent, run: { line: run }, cwd, env: world.environment(env ?? {}), mark, timeoutMs, signal, confine },
    ...{ spool: path, onLine },
  })
  signal.throwIfAborted()
  return { ...exit, spool: path }
}

/** A command that is told nothing and that nobody watches. */
export const silent = { input: '', idleTimeoutMs: null, onStart: null, isWaiting: null, done: null } as const

const plain: Omit<Site, 'place'> = { lived: false, needs: [], fetches: false, also: [] }

/** The last that it printed. */
export const tailOf = ({ stdoutTail, stderrTail }: Exit, most = 4_000): string =>
  `${stdoutTail}\n${stderrTail}`.trim().slice(-most)

export const isGood = (exit: Exit): boolean => exit.reason === 'exited' && exit.code === 0

export const endOf = (exit: Exit): string => (exit.reason === 'exited' ? `exit code ${exit.code}` : exit.reason)

// How commands run that an agent may have had a hand in: the checks, set-up, fixes, what must be up.

/** A place that a command runs in. */
export interface Site {
  place: string
  /** It is lived in by an agent, and is where it is; else it looks like the user's checkout. */
  lived: boolean
  needs: Need[]
  /** It fetches what it needs, and may fill caches for that. */
  fetches: boolean
  /** Further folders that it may write to. */
  also: Elsewhere[]
}

/** Null: it runs as freely as we do, because the settings or the machine leave nothing else. */
export async function confinementIn(work: Running, site: Site): Promise<Confinement | null> {
  if (!(await isConfined(work))) return null
  const { world, repository } = work
  const { egress } = work.input.policy
  const { place, needs } = site
  const atHome = needs.includes('home')
  const at = await seenFrom(work, site)
  const own: Elsewhere[] = at === place ? [] : [{ from: place, at, write: true }]
  const caches = site.fetches && !atHome ? await world.tools.caches() : []
  return {
    write: [...(at === place ? [place] : []), ...(needs.includes('docker') ? dockerSockets() : [])],
    hide: [world.tools.ours, ...(atHome ? [] : world.secretPlaces)],
    show: [],
    guard: [],
    bare: atHome ? [] : [world.tools.home],
    kept: [...(atHome ? [] : world.tools.places()), ...(at === place ? [repository.objectsFolder] : [])],
    network: egress === 'open' || needs.includes('network') || needs.includes('docker'),
    guise: { elsewhere: [...own, ...caches, ...objectsIn(work, { place, at }), ...site.also] },
  }
}

/** Where a command finds the place that it runs in: at the path of the user's own checkout, if that can be. */
export async function seenFrom(work: Running, { place, lived }: Pick<Site, 'place' | 'lived'>): Promise<string> {
  const { path } = work.input.request.repository
  const { ours } = work.world.tools
  if (lived || path === '' || !isFolder(path) || !(await isConfined(work))) return place
  const real = realpathSync(path)
  return isWithin(ours, real) || isWithin(real, ours) ? place : real
}

export async function isConfined(work: Running): Promise<boolean> {
  const { sandbox } = work.input.policy
  if (sandbox !== 'auto') return sandbox === 'bwrap'
  const problem = await work.world.shell.unconfinable()
  if (problem === null) return true
  const text = `nothing is confined on this machine (${problem}): checks and agents run as you, and can do what you can`
  await raiseOnce(work, null, text)
  return false
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
const isWithin = (folder: string, path: string): boolean => path === folder || path.startsWith(`${folder}/`)

const dockerSockets = (): string[] =>
  ['/run/docker.sock', '/var/run/docker.sock'].filter((path) => existsSync(path)).map((path) => realpathSync(path))

/** What the .git of the place borrows is seen inside of it, so that nothing in it leads to us. */
function objectsIn({ repository }: Running, { place, at }: { place: string; at: string }): Elsewhere[] {
  const isThere = lstatSync(join(place, borrowedObjects), { throwIfNoEntry: false })?.isDirectory() === true
  if (!isThere || at === place) return []
  return [{ from: repository.objectsFolder, at: join(at, borrowedObjects), write: false }]
}
