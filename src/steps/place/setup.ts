import { policyOf } from '../../delivery/state.ts'
import type { Performance } from '../../ports/performer.ts'
import type { StepWorld } from '../world.ts'
import { endOf, isGood, runLine } from './run-line.ts'

export type SetUp = { ok: true } | { ok: false; problem: string; output: string }

/** Makes a place ready for work by the pinned command: dependencies, generated code. */
export async function setUp(world: StepWorld, performance: Performance, cwd: string): Promise<SetUp> {
  const { setup } = policyOf(performance.state)
  if (setup === null) return { ok: true }
  const spool = `${performance.step.id}-${performance.try}.setup`
  const { run, timeoutMs } = setup
  const exit = await runLine(world, performance, { run, timeoutMs, cwd, spool, onLine: null })
  if (isGood(exit)) return { ok: true }
  const output = world.redact(`${exit.stdoutTail}\n${exit.stderrTail}`).trim().slice(-4_000)
  return { ok: false, problem: `the set-up command (${run}) failed: ${endOf(exit)}`, output }
}
