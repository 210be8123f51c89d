import type { Performance } from '../../ports/performer.ts'
import type { Exit } from '../../ports/shell.ts'
import type { StepWorld } from '../world.ts'

export interface Line {
  run: string
  cwd: string
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
  { state, mark, signal }: Performance,
  { run, cwd, timeoutMs, spool, onLine, env }: Line,
): Promise<Exit & { spool: string }> {
  const path = world.places.spool(state.id, spool)
  const exit = await world.shell.run({
    run: { line: run },
    cwd,
    env: world.environment({ CI: 'true', ...env }),
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
    confine: null,
  })
  signal.throwIfAborted()
  return { ...exit, spool: path }
}

export const isGood = (exit: Exit): boolean => exit.reason === 'exited' && exit.code === 0

export const endOf = (exit: Exit): string => (exit.reason === 'exited' ? `exit code ${exit.code}` : exit.reason)
