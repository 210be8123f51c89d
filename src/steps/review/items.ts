import type { ChecklistWord, CriterionWord } from '../../delivery/review/review.ts'
import type { ReviewStory } from '../../delivery/review/steps.ts'
import { type DeliveryState, policyOf, storyOf } from '../../delivery/state.ts'
import type { Performance } from '../../ports/performer.ts'
import { lacking, type Review } from '../../roles/reviewer/contract.ts'
import type { ReviewerBrief } from '../../roles/reviewer/prompt.ts'

type Reviewing = Performance<ReviewStory>

/** Criteria and checklist are for the one who looks at criteria, or for the first where nobody does. */
export function itemsAsked({ state, step }: Reviewing): Pick<ReviewerBrief, 'criteria' | 'checklist'> {
  const seats = policyOf(state).review.reviewers.map(({ vantage }) => vantage)
  const asked = seats.includes('criteria') ? 'criteria' : (seats[0] ?? step.vantage)
  if (step.vantage !== asked) return { criteria: [], checklist: [] }
  return { criteria: storyOf(state, step.story).spec.criteria, checklist: checklistOf(state).map(({ item }) => item) }
}

const checklistOf = (state: DeliveryState) => state.plan.plan?.outline?.checklist ?? []

interface Said {
  criteria: CriterionWord[]
  checklist: ChecklistWord[]
  /** Something is not fulfilled: what that means is for the law to say. */
  lacking: boolean
}

/** Item by item; of what nothing was said, that is said. */
export function saidOf(performance: Reviewing, review: Review): Said {
  const asked = itemsAsked(performance)
  const criteria = asked.criteria.map((criterion, index): CriterionWord => {
    const word = review.criteria.find(({ number }) => number === index + 1)
    return { criterion, state: word?.state ?? 'unclear', why: whyOf(word) }
  })
  const checklist = asked.checklist.map((item, index): ChecklistWord => {
    const word = review.checklist.find(({ number }) => number === index + 1)
    return { item, state: word?.state ?? 'unverifiable', why: whyOf(word) }
  })
  return { criteria, checklist, lacking: [...criteria, ...checklist].some(({ state }) => lacking.includes(state)) }
}

/** What is to be mended counts without a reason, too; that there is none is said. */
function whyOf(word: { state: string; why: string } | undefined): string {
  if (word === undefined) return 'the reviewer says nothing about it'
  return word.why === '' && lacking.includes(word.state) ? 'the reviewer gives no reason' : word.why
}
