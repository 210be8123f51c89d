import type { StoryId } from '../../delivery/ids.ts'
import { seatsOf } from '../../delivery/review/course/seats.ts'
import type { ChecklistWord, CriterionWord } from '../../delivery/review/review.ts'
import type { ReviewStory } from '../../delivery/review/steps.ts'
import { type DeliveryState, policyOf, storiesOf, storyOf } from '../../delivery/state.ts'
import { isSettled } from '../../delivery/story/story.ts'
import type { Performance } from '../../ports/performer.ts'
import { lacking, type ReviewAnswer } from '../../roles/reviewer/contract.ts'
import type { ReviewerBrief } from '../../roles/reviewer/prompt.ts'

type Reviewing = Performance<ReviewStory>

/** Criteria, checklist and scope are for the one who looks at criteria, or for the first where nobody does. */
export function itemsAsked({ state, step }: Reviewing): Asked {
  const seats = seatsOf(policyOf(state)).map(({ vantage }) => vantage)
  const asked = seats.includes('criteria') ? 'criteria' : (seats[0] ?? step.vantage)
  const isPart = othersCome({ state, step })
  if (step.vantage !== asked) return { criteria: [], checklist: [], isPart, scope: false }
  const { criteria } = storyOf(state, step.story).spec
  const checklist = checklistOf(state).map(({ item }) => item)
  return { criteria, checklist, isPart, scope: isWanted(state, step.story) }
}

type Asked = Pick<ReviewerBrief, 'criteria' | 'checklist' | 'isPart' | 'scope'>

/** Whether somebody has said what it was to do: the name of a branch does not. */
export function isWanted(state: DeliveryState, story: StoryId): boolean {
  const { kind, spec } = storyOf(state, story)
  return kind !== 'review' || spec.description.trim() !== '' || spec.criteria.length > 0
}

/** The checklist is of the plan as a whole: further stories will be looked at with it, and may be what it waits for. */
function othersCome({ state, step }: Pick<Reviewing, 'state' | 'step'>): boolean {
  const place = state.order.indexOf(step.story)
  return storiesOf(state).some(
    (other, at) =>
      at !== place && other.kind === 'story' && !isSettled(other) && (other.review.round === 0 || at > place),
  )
}

const checklistOf = (state: DeliveryState) => state.plan.plan?.outline?.checklist ?? []

interface Said {
  criteria: CriterionWord[]
  checklist: ChecklistWord[]
  /** Something is not fulfilled: what that means is for the law to say. */
  lacking: boolean
}

/** Item by item; of what nothing was said, that is said, unless others have told it or will be asked. */
export function saidOf(performance: Reviewing, review: ReviewAnswer): Said {
  const asked = itemsAsked(performance)
  const criteria = asked.criteria.map((criterion, index): CriterionWord => {
    const word = review.criteria.find(({ number }) => number === index + 1)
    return { criterion, state: word?.state ?? 'unclear', why: whyOf(word) }
  })
  const words = asked.checklist.map((item, index): ChecklistWord => {
    const word = review.checklist.find(({ number }) => number === index + 1)
    return { item, state: word?.state ?? 'unverifiable', why: whyOf(word) }
  })
  const isLeft = ({ item }: ChecklistWord): boolean => asked.isPart || isToldOf(performance, item)
  const checklist = words.filter((word) => word.state !== 'unverifiable' || !isLeft(word))
  return { criteria, checklist, lacking: [...criteria, ...checklist].some(({ state }) => lacking.includes(state)) }
}

const isToldOf = ({ state, step }: Reviewing, item: string): boolean =>
  storiesOf(state)
    .filter(({ spec }) => spec.id !== step.story)
    .flatMap(({ review }) => Object.values(review.words))
    .some(
      ({ word }) =>
        word.status === 'returned' && word.checklist.some((one) => one.item === item && one.state === 'passed'),
    )

/** What is to be mended counts without a reason, too; that there is none is said. */
function whyOf(word: { state: string; why: string } | undefined): string {
  if (word === undefined) return 'the reviewer says nothing about it'
  return word.why === '' && lacking.includes(word.state) ? 'the reviewer gives no reason' : word.why
}
