import type { Outcome } from '../../../src/delivery/events.ts'
import type { CheckedAssumption, Interpretation } from '../../../src/delivery/intent/interpretation.ts'
import type { Rebuttal, SortedFindings } from '../../../src/delivery/review/review.ts'
import type { ReviewStory, Step, TriageFindings } from '../../../src/delivery/step.ts'
import { happily, says, sorts, triedBy } from '../endings.ts'
import { absent, approval, claiming, interpretation, objection, remark } from '../judgement-sample.ts'
import type { Shared } from './worker.ts'

/** What models say when they are asked: mostly something usable, not always the same, sometimes nothing. */
export function opinion(shared: Shared, step: Step): Outcome {
  const { chance } = shared
  switch (step.verb) {
    case 'ReadRequirement': {
      const { id, seat } = step
      if (chance.oneIn(8)) return { type: 'ReadingFaulted', step: id, seat, problems: ['prose'] }
      return { type: 'RequirementRead', step: id, seat, interpretation: understood(shared), quality: 'full' }
    }
    case 'CheckAssumptions': {
      const checked = step.assumptions.map(({ id, claim }): CheckedAssumption => {
        const verdict = chance.pick(['holds', 'refuted', 'unknown'] as const)
        return { id, claim, verdict, evidence: '', file: null, line: null }
      })
      return { type: 'AssumptionsChecked', step: step.id, checked }
    }
    case 'TryExamples':
      return triedBy(step, chance.pick(['yes', 'yes', 'no', 'unknown'] as const))
    case 'DraftPlan': {
      const { id, revision } = step
      if (chance.oneIn(8)) return { type: 'PlanFaulted', step: id, problems: ['prose'] }
      return { type: 'PlanDrafted', step: id, plan: { stories: shared.stories, outline: null }, revision, cause: 'so' }
    }
    case 'AuditPlan': {
      const problems = chance.oneIn(3) ? ['it forgets something'] : []
      return { type: 'PlanAudited', step: step.id, revision: step.revision, problems, concerns: [] }
    }
    case 'RespecifyStory': {
      const { id, story, departed } = step
      if (departed !== undefined && chance.oneIn(2)) return { type: 'StoryUpheld', step: id, story, why: 'it is right' }
      if (chance.oneIn(4)) return { type: 'RespecifyFaulted', step: id, story, problems: ['prose'] }
      return happily(step) as Outcome
    }
    case 'ReviewStory':
      return reviewed(shared, step)
    case 'TriageFindings':
      return triaged(shared, step)
    default:
      return happily(step) as Outcome
  }
}

function understood({ chance }: Shared): Interpretation {
  const claim = { id: 'a1', claim: 'it is', evidence: '', falsifier: 'it is not', stakes: chance.pick(['high', 'low']) }
  return interpretation({
    ambiguity: chance.pick(['clear', 'uncertain', 'ambiguous']),
    reading: claiming(
      chance.pick(['sort the list by name', 'sort the list by name', 'export every invoice at night']),
      chance.pick([{}, { 'b, a': 'a, b' }, { 'b, a': 'a, b', 'three names': 'in order' }]),
    ),
    assumptions: chance.oneIn(2) ? [claim as Interpretation['assumptions'][number]] : [],
    defensible: !chance.oneIn(4),
    missing: chance.oneIn(8) ? ['the price'] : [],
  })
}

/** What is red is seen by most; now and then something is seen that nobody else would see. */
function reviewed({ ground, chance }: Shared, step: ReviewStory): Outcome {
  if (chance.oneIn(9)) return says(absent)(step) as Outcome
  if (step.rebuts.length > 0) {
    const stance = chance.pick<Rebuttal['stance']>(['upheld', 'disputed', 'unsure'])
    const rebuttals = step.rebuts.map(({ fingerprint }) => ({ fingerprint, stance, because: 'so' }))
    return says({ ...approval, rebuttals })(step) as Outcome
  }
  const sees = ground.isRed(step.commit, step.base) || chance.oneIn(5)
  const what = chance.pick(['leaks', 'loops', 'is slow'])
  return says(sees ? objection([remark(what, chance.pick(['blocking', 'important', 'note']))]) : approval)(
    step,
  ) as Outcome
}

function triaged({ chance }: Shared, step: TriageFindings): Outcome {
  const { id, story } = step
  if (chance.oneIn(8)) return { type: 'TriageFaulted', step: id, story, problems: ['prose'] }
  const fate = () => chance.pick<SortedFindings['fate']>(['accepted', 'accepted', 'deferred', 'rejected'])
  return sorts(() => (chance.oneIn(15) ? null : { fate: fate() }))(step) as Outcome
}
