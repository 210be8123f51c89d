import type { Exit } from '../../ports/shell.ts'
import type { Running } from '../work.ts'
import { confinementIn, type Site } from './confine.ts'

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

export const isGood = (exit: Exit): boolean => exit.reason === 'exited' && exit.code === 0

export const endOf = (exit: Exit): string => (exit.reason === 'exited' ? `exit code ${exit.code}` : exit.reason)
