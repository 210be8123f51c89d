import type { Outcome } from '../../../delivery/events.ts'
import { policyOf } from '../../../delivery/state.ts'
import type { TryBase } from '../../../delivery/step.ts'
import type { Performance } from '../../../ports/performer.ts'
import { repositoryFor } from '../../place/request.ts'
import type { StepWorld } from '../../world.ts'
import { type BaseRuns, runOnBase } from '../base-runs.ts'
import { environmentKeyOf } from '../proof.ts'
import { type Bench, judgeOf } from '../run-check.ts'
import { faultOfBase } from './environment.ts'

/** Each check once on the base: what it shows there is on record for all that is compared with it. */
export async function tryBase(world: StepWorld, performance: Performance<TryBase>, bases: BaseRuns): Promise<Outcome> {
  const { state, step } = performance
  const repository = await repositoryFor(world, state)
  const tree = await repository.treeOf(step.base)
  const told: string[] = []
  for (const check of policyOf(state).checks) {
    const about = { id: step.id, story: null, scope: 'whole', base: step.base, commit: step.base, tree } as const
    const judging = { ...performance, step: judgeOf(`check:${check.name}`, about) }
    const bench: Bench = { world, repository, check, performance: judging }
    const environment = await environmentKeyOf(bench)
    const ran = await runOnBase(bench, { tree, environment, run: 'first' }, bases)
    const fault = ran === null ? null : await faultOfBase(bench, ran)
    if (fault !== null) throw fault
    const shows = ran === null ? 'proven before' : ran.status === 'ran' ? ran.result.message : ran.problem
    told.push(`${check.name}: ${shows}`)
  }
  return { type: 'BaseTried', step: step.id, base: step.base, told }
}
