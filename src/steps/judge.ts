import type { Outcome } from '../delivery/events.ts'
import { type JudgeKind, judgeKindOf, type Verdict } from '../delivery/judging/finding.ts'
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
export async function judge(court: JudgeCourt, bases: BaseRuns): Promise<Outcome> {
  const { id, story, judge, scope, commit, tree } = court.step
  const word = judge === 'inspection' ? await inspected(court) : { verdict: await verdictOf(court, bases) }
  return { type: 'Judged', step: id, story, judge, scope, commit, tree, ...word }
}

export type JudgeCourt = Court & { step: Judged & Pick<Judge, 'judge'> }

export async function verdictOf(court: JudgeCourt, bases: BaseRuns): Promise<Verdict> {
  const kind = judgeKindOf(court.step.judge)
  invariant(kind !== null && kind !== 'inspection' && kind !== 'verifier', `nobody is called ${court.step.judge}`)
  return await verdicts[kind](court, bases)
}

/** An inspection says more than a verdict, and a verifier is an agent. */
const verdicts: Record<
  Exclude<JudgeKind, 'inspection' | 'verifier'>,
  (court: JudgeCourt, bases: BaseRuns) => Promise<Verdict>
> = {
  check: (court, bases) => checkVerdict(benchFor(court), bases),
  related: (court, bases) => relatedVerdict(benchFor(court), bases),
  guard: (court, bases) => guardVerdict(benchFor(court), bases),
  sensitivity: sensitivityVerdict,
  witness: witnessVerdict,
  red: redVerdict,
  acceptance: acceptanceVerdict,
  criteria: criteriaVerdict,
}

function benchFor(court: JudgeCourt): Bench {
  const [, name] = court.step.judge.split(/:(.*)/s)
  const check = court.input.policy.checks.find((one) => one.name === name)
  invariant(check !== undefined, `the policy has no ${court.step.judge}`)
  return { ...court, check }
}
