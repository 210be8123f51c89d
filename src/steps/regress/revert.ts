import type { CheckPolicy } from '../../delivery/policy.ts'
import type { Point, Revert, SearchRequest } from '../../ports/proofs/regression.ts'
import { type RunShown, regressionWord } from '../../proof/results/regression.ts'
import type { RegressWorld } from './runs.ts'
import { tryOn } from './runs.ts'

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
