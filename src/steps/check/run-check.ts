import type { CommitId } from '../../delivery/ids.ts'
import type { CheckPolicy } from '../../delivery/policy.ts'
import type { Judge } from '../../delivery/step.ts'
import type { Performance } from '../../ports/performer.ts'
import type { Repository } from '../../ports/repository.ts'
import type { CheckResult } from '../../proof/results/check-result.ts'
import { judgeOutput } from '../../proof/results/judge-output.ts'
import { inCleanPlace } from '../place/clean.ts'
import { runLine } from '../place/run-line.ts'
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
  return await inCleanPlace({ world, repository, performance }, request, (place) => runIn(place, bench, request))
}

async function runIn(place: string, bench: Bench, { name, overlay }: RunRequest): Promise<Ran> {
  const { world, performance, check } = bench
  for (const file of overlay) await overwrite(place, file)
  const ready = await setUp(world, performance, place)
  if (!ready.ok) return { status: 'not-set-up', problem: ready.problem, output: ready.output }
  const { run, timeoutMs, parser } = check
  const output = openOutput()
  const spool = `${performance.step.id}${name}-${performance.try}.out`
  const exit = await runLine(world, performance, { run, cwd: place, timeoutMs, spool, onLine: output.add })
  const result = judgeOutput({
    parser,
    stdout: world.redact(output.text()),
    stderr: world.redact(exit.stderrTail),
    exit,
    truncated: output.truncated(),
    root: place,
  })
  return { status: 'ran', result, spool: exit.spool, durationMs: exit.durationMs }
}
