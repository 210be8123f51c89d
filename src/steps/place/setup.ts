import type { SetupPolicy } from '../../delivery/policy.ts'
import { policyOf } from '../../delivery/state.ts'
import type { Step } from '../../delivery/step.ts'
import type { Performance } from '../../ports/performer.ts'
import type { StepWorld } from '../world.ts'

export type SetUp = { ok: true } | { ok: false; problem: string; output: string }

/** Makes a place ready for work by the pinned command: dependencies, generated code. */
export async function setUp(world: StepWorld, performance: Performance, cwd: string): Promise<SetUp> {
  const { setup } = policyOf(performance.state)
  return setup === null ? { ok: true } : await run(world, performance, { setup, cwd })
}

async function run(
  world: StepWorld,
  { state, step, try: number, mark, signal }: Performance<Step>,
  { setup, cwd }: { setup: SetupPolicy; cwd: string },
): Promise<SetUp> {
  const exit = await world.shell.run({
    run: { line: setup.run },
    cwd,
    env: world.environment({ CI: 'true' }),
    input: '',
    mark,
    timeoutMs: setup.timeoutMs,
    idleTimeoutMs: null,
    signal,
    spool: world.places.spool(state.id, `${step.id}-${number}.setup`),
    onLine: null,
    onStart: null,
  })
  signal.throwIfAborted()
  if (exit.reason === 'exited' && exit.code === 0) return { ok: true }
  const why = exit.reason === 'exited' ? `exit code ${exit.code}` : exit.reason
  const output = world.redact(`${exit.stdoutTail}\n${exit.stderrTail}`).trim().slice(-4_000)
  return { ok: false, problem: `the set-up command (${setup.run}) failed: ${why}`, output }
}
