import type { Performance } from '../../ports/performer.ts'
import type { Exit } from '../../ports/shell.ts'
import type { StepWorld } from '../world.ts'
import { confinementIn, type Site } from './confine.ts'

export interface Line {
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
export const runLine = (world: StepWorld, performance: Performance, line: Line): Promise<Exit & { spool: string }> =>
  runBare(world, performance, { ...line, env: { ...world.holdings.environmentOf(line.cwd), ...line.env } })

/** The same in an environment that does not tell one place from another. */
export async function runBare(
  world: StepWorld,
  performance: Performance,
  { run, cwd, site, timeoutMs, spool, onLine, env }: Line,
): Promise<Exit & { spool: string }> {
  const { state, mark, signal } = performance
  const path = world.places.spool(state.id, spool)
  const confine = await confinementIn(world, performance, { ...plain, ...site })
  const exit = await world.shell.run({
    run: { line: run },
    cwd,
    env: world.environment(env ?? {}),
    input: '',
    mark,
    timeoutMs,
    idleTimeoutMs: null,
    signal,
    spool: path,
    onLine,
    onStart: null,
    isWaiting: null,
    done: null,
    confine,
  })
  signal.throwIfAborted()
  return { ...exit, spool: path }
}

const plain: Omit<Site, 'place'> = { lived: false, needs: [], fetches: false, also: [] }

export const isGood = (exit: Exit): boolean => exit.reason === 'exited' && exit.code === 0

export const endOf = (exit: Exit): string => (exit.reason === 'exited' ? `exit code ${exit.code}` : exit.reason)
