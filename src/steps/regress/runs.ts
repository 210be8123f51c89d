import { rm } from 'node:fs/promises'
import type { CommitId } from '../../delivery/ids.ts'
import type { CheckPolicy } from '../../delivery/policy.ts'
import type { SearchRequest } from '../../ports/proofs/regression.ts'
import type { Repository } from '../../ports/repository/repository.ts'
import { withoutQuarantined } from '../../proof/results/baseline.ts'
import type { RunShown } from '../../proof/results/regression.ts'
import { type Ran, runCheck } from '../check/run-check.ts'
import { nothingStanding } from '../work.ts'
import type { StepWorld } from '../world.ts'

export type Tried = RunShown & { durationMs: number }

/** One run of a check on a commit, in a clean place; no delivery stands behind it. */
export async function tryOn(
  world: RegressWorld,
  request: SearchRequest,
  { check, commit }: { check: CheckPolicy; commit: CommitId },
): Promise<Tried> {
  const { id, mark, known, clone: repository } = world
  const { policy, signal } = request
  const began = world.clock.now()
  const bench = {
    ...{ world, repository, check, mark, signal, try: 1, record: async () => {}, standing: nothingStanding },
    step: { id: 'try', story: null },
    input: { delivery: id, request: { repository: known, target: policy.target, base: commit }, policy },
  }
  const ran = await runCheck(bench, { name: '', commit, overlay: request.overlay })
  if (ran.status === 'ran') await rm(ran.spool, { force: true })
  return { ...shownBy(ran, request), durationMs: world.clock.now() - began }
}

function shownBy(ran: Ran, { policy }: SearchRequest): RunShown {
  if (ran.status === 'not-set-up') return { status: 'not-set-up', failures: [], message: ran.problem, tail: ran.output }
  // What became red is asked for, not what is proven: an exit code says that, too.
  if (ran.result.silent === true) return { ...ran.result, status: 'pass' }
  return withoutQuarantined(ran.result, { patterns: policy.quarantine, changedFiles: [] }).result
}

/** What a search for a regression needs of the world. */
export interface RegressWorld extends StepWorld {
  clone: Repository
  known: { id: string; path: string }
  /** Names what is on disk for this search, and with the mark its processes, so that they are found after a kill. */
  id: string
  mark: string
}
