import type { Outcome } from '../delivery/events.ts'
import type { Verdict } from '../delivery/judging/finding.ts'
import { policyOf } from '../delivery/state.ts'
import type { Judge } from '../delivery/step.ts'
import type { Performance } from '../ports/performer.ts'
import { invariant } from '../std/never.ts'
import { acceptanceVerdict } from './check/acceptance.ts'
import type { BaseRuns } from './check/base-runs.ts'
import { criteriaVerdict } from './check/criteria.ts'
import { guardVerdict } from './check/guard/guard.ts'
import { inspected } from './check/inspection.ts'
import { relatedVerdict } from './check/related.ts'
import type { Bench, Court } from './check/run-check.ts'
import { sensitivityVerdict } from './check/sensitivity/sensitivity.ts'
import { checkVerdict } from './check/verdict.ts'
import { redVerdict } from './check/witness/red.ts'
import { witnessVerdict } from './check/witness/witness.ts'
import { repositoryFor } from './place/request.ts'
import type { StepWorld } from './world.ts'

/** One judge's word on one commit. */
export async function judge(world: StepWorld, performance: Performance<Judge>, bases: BaseRuns): Promise<Outcome> {
  const { state, step } = performance
  const repository = await repositoryFor(world, state)
  const court = { world, performance, repository }
  const { id, story, judge, scope, commit, tree } = step
  const word = judge === 'inspection' ? await inspected(court) : { verdict: await verdictOf(court, bases) }
  return { type: 'Judged', step: id, story, judge, scope, commit, tree, ...word }
}

async function verdictOf(court: Court, bases: BaseRuns): Promise<Verdict> {
  const [kind, name] = court.performance.step.judge.split(/:(.*)/s)
  if (kind === 'check') return await checkVerdict(benchFor(court, name), bases)
  if (kind === 'related') return await relatedVerdict(benchFor(court, name), bases)
  if (kind === 'guard') return await guardVerdict(benchFor(court, name), bases)
  if (kind === 'sensitivity') return await sensitivityVerdict(court)
  if (kind === 'witness') return await witnessVerdict(court)
  if (kind === 'red') return await redVerdict(court)
  if (kind === 'acceptance') return await acceptanceVerdict(court)
  invariant(kind === 'criteria', `nobody is called ${court.performance.step.judge}`)
  return await criteriaVerdict(court)
}

function benchFor(court: Court, name: string | undefined): Bench {
  const { state, step } = court.performance
  const check = policyOf(state).checks.find((one) => one.name === name)
  invariant(check !== undefined, `the policy has no ${step.judge}`)
  return { ...court, check }
}
