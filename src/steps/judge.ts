import type { Outcome } from '../delivery/events.ts'
import type { Verdict } from '../delivery/judging/finding.ts'
import type { Judge } from '../delivery/step.ts'
import { invariant } from '../std/never.ts'
import { acceptanceVerdict } from './check/acceptance.ts'
import type { BaseRuns } from './check/base-runs.ts'
import { criteriaVerdict } from './check/criteria.ts'
import { guardVerdict } from './check/guard/guard.ts'
import { inspected } from './check/inspection.ts'
import { relatedVerdict } from './check/related.ts'
import type { Bench, Court, Judged } from './check/run-check.ts'
import { sensitivityVerdict } from './check/sensitivity/sensitivity.ts'
import { checkVerdict } from './check/verdict.ts'
import { redVerdict } from './check/witness/red.ts'
import { witnessVerdict } from './check/witness/witness.ts'

/** One judge's word on one commit. */
export async function judge(court: Judging, bases: BaseRuns): Promise<Outcome> {
  const { id, story, judge, scope, commit, tree } = court.step
  const word = judge === 'inspection' ? await inspected(court) : { verdict: await verdictOf(court, bases) }
  return { type: 'Judged', step: id, story, judge, scope, commit, tree, ...word }
}

/** `judge`: who is asked. */
export type Judging = Court & { step: Judged & Pick<Judge, 'judge'> }

export async function verdictOf(court: Judging, bases: BaseRuns): Promise<Verdict> {
  const { judge } = court.step
  const [kind, name] = judge.split(/:(.*)/s)
  switch (kind) {
    case 'check':
      return await checkVerdict(benchFor(court, name), bases)
    case 'related':
      return await relatedVerdict(benchFor(court, name), bases)
    case 'guard':
      return await guardVerdict(benchFor(court, name), bases)
    case 'sensitivity':
      return await sensitivityVerdict(court)
    case 'witness':
      return await witnessVerdict(court)
    case 'red':
      return await redVerdict(court)
    case 'acceptance':
      return await acceptanceVerdict(court)
    default:
      invariant(kind === 'criteria', `nobody is called ${judge}`)
      return await criteriaVerdict(court)
  }
}

function benchFor(court: Judging, name: string | undefined): Bench {
  const check = court.input.policy.checks.find((one) => one.name === name)
  invariant(check !== undefined, `the policy has no ${court.step.judge}`)
  return { ...court, check }
}
