import { rm } from 'node:fs/promises'
import type { CommitId } from '../../delivery/ids.ts'
import type { CheckPolicy } from '../../delivery/policy.ts'
import { initialState } from '../../delivery/state.ts'
import type { Judge } from '../../delivery/step.ts'
import type { Performance } from '../../ports/performer.ts'
import type { SearchRequest } from '../../ports/proofs/regression.ts'
import { withoutQuarantined } from '../../proof/results/baseline.ts'
import type { RunShown } from '../../proof/results/regression.ts'
import { type Ran, runCheck } from '../check/run-check.ts'
import type { RegressWorld } from './world.ts'

export type Tried = RunShown & { durationMs: number }

/** One run of a check on a commit, in a clean place; no delivery stands behind it. */
export async function tryOn(
  world: RegressWorld,
  request: SearchRequest,
  { check, commit }: { check: CheckPolicy; commit: CommitId },
): Promise<Tried> {
  const performance = performanceOf(world, request, { check, commit })
  const began = world.clock.now()
  const bench = { world, repository: world.clone, check, performance }
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

function performanceOf(
  { id, mark, known }: RegressWorld,
  { policy, signal }: SearchRequest,
  { check, commit }: { check: CheckPolicy; commit: CommitId },
): Performance<Judge> {
  const judge = `check:${check.name}`
  const step: Judge = {
    ...{ id: 'try', verb: 'Judge', story: null, judge, scope: 'whole', base: commit, commit, tree: '' },
    ...{ revision: 0, attempt: 0, round: 0, retry: 0, policy: '' },
  }
  const request = {
    requirement: { text: '', source: '', submitter: '' },
    ...{ repository: known, target: policy.target, base: commit, review: null, at: 0 },
  }
  const state = { ...initialState(id), request, policy: { ...policy, checks: [check] } }
  return { step, state, try: 1, mark, signal, record: async () => {} }
}
