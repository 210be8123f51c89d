import type { CommitId } from '../../delivery/ids.ts'
import type { CheckPolicy } from '../../delivery/policy.ts'
import type { Judge } from '../../delivery/step.ts'
import type { Performance } from '../../ports/performer.ts'
import type { Repository } from '../../ports/repository.ts'
import type { Exit } from '../../ports/shell.ts'
import type { CheckResult } from '../../proof/results/check-result.ts'
import { judgeOutput } from '../../proof/results/judge-output.ts'
import { inCleanPlace } from '../place/clean.ts'
import { setUp } from '../place/setup.ts'
import type { StepWorld } from '../world.ts'
import { openOutput } from './output.ts'
import { type Overlay, overwrite } from './overlay.ts'

/** What every run of one check needs. */
export interface Bench {
  world: StepWorld
  performance: Performance<Judge>
  repository: Repository
  check: CheckPolicy
}

export interface RunRequest {
  /** Tells the runs of one step apart. */
  name: string
  commit: CommitId
  overlay: Overlay[]
}

export type Ran =
  | { status: 'ran'; result: CheckResult; spool: string; durationMs: number }
  | { status: 'not-set-up'; problem: string; output: string }

/** One run of the pinned command on an exact commit, in a place that nobody else can write to. */
export async function runCheck(bench: Bench, request: RunRequest): Promise<Ran> {
  const { world, performance, repository } = bench
  const name = `${performance.step.id}${request.name}`
  return await inCleanPlace(
    { world, repository, delivery: performance.state.id },
    { name, commit: request.commit },
    (place) => runIn(place, bench, request.overlay, name),
  )
}

async function runIn(place: string, bench: Bench, overlay: Overlay[], name: string): Promise<Ran> {
  const { world, performance, check } = bench
  for (const file of overlay) await overwrite(place, file)
  const ready = await setUp(world, performance, place)
  if (!ready.ok) return { status: 'not-set-up', problem: ready.problem, output: ready.output }
  const { state, mark, signal } = performance
  const spool = world.places.spool(state.id, `${name}-${performance.try}.out`)
  const output = openOutput()
  const exit = await world.shell.run({
    run: { line: check.run },
    cwd: place,
    env: world.environment({ CI: 'true' }),
    input: '',
    mark,
    timeoutMs: check.timeoutMs,
    idleTimeoutMs: null,
    signal,
    spool,
    onLine: output.add,
    onStart: null,
  })
  signal.throwIfAborted()
  const result = judge(bench, { place, exit, output })
  return { status: 'ran', result, spool, durationMs: exit.durationMs }
}

function judge(
  { world, check }: Bench,
  ran: { place: string; exit: Exit; output: ReturnType<typeof openOutput> },
): CheckResult {
  return judgeOutput({
    parser: check.parser,
    stdout: world.redact(ran.output.text()),
    stderr: world.redact(ran.exit.stderrTail),
    exit: ran.exit,
    truncated: ran.output.truncated(),
    root: ran.place,
  })
}
