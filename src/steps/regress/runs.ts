import { rm } from 'node:fs/promises'
import type { CommitId } from '../../delivery/ids.ts'
import type { CheckPolicy } from '../../delivery/policy.ts'
import type { Point, Revert, SearchRequest } from '../../ports/proofs/regression.ts'
import type { Repository } from '../../ports/repository/repository.ts'
import { type RunShown, regressionWord, withoutQuarantined } from '../../proof/results/baseline.ts'
import { type Ran, runCheck } from '../check/run-check.ts'
import { aloneWith } from '../work.ts'
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
    ...aloneWith({ world, repository, check, mark, signal }),
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

/** What would come of it if these commits were reverted at the tip: composed in our own clone, and tried. */
export async function tryRevert(
  world: RegressWorld,
  request: SearchRequest,
  { commits, check, trouble }: { commits: Point[]; check: CheckPolicy; trouble: RunShown },
): Promise<Revert> {
  const tip = request.course.at(-1)!.commit
  const composed = await world.clone.compose({
    onto: tip,
    base: commits.at(-1)!.commit,
    commit: commits[0]!.parents[0]!,
    message: { subject: `Revert "${commits.at(-1)!.subject}"`, body: '', trailers: [], at: 0 },
  })
  if (composed.status === 'conflict')
    return { status: 'conflict', files: [...new Set(composed.files.map(({ path }) => path))] }
  if (composed.tree === (await world.clone.treeOf(tip))) return { status: 'empty' }
  const tried = await tryOn(world, request, { check, commit: composed.commit })
  const mended = regressionWord(tried, trouble) === 'green'
  const red = tried.status === 'pass' ? [] : [{ check: check.name, message: tried.message }]
  // Where it does not help, nobody needs to know what else it does.
  const others = mended ? request.policy.checks.filter(({ name }) => name !== check.name) : []
  for (const other of others) {
    const { status, message } = await tryOn(world, request, { check: other, commit: composed.commit })
    if (status !== 'pass') red.push({ check: other.name, message })
  }
  return { status: 'applies', mended, red }
}
