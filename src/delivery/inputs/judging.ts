import type { CommitId, StoryId, TreeId } from '../ids.ts'
import type { Finding } from '../judging/finding.ts'
import type { Story } from '../plan/plan.ts'
import { seatsFor, seatsOf } from '../review/course/seats.ts'
import type { Vantage } from '../review/review.ts'
import { type DeliveryState, policyOf, storiesOf, storyOf } from '../state.ts'
import { acceptanceOf } from '../story/course/acceptance.ts'
import { expectationsChangedBy, isProven } from '../story/course/judging.ts'
import { isVerified } from '../story/course/ladder.ts'
import { isSettled, type StoryState } from '../story/story.ts'
import { type Basis, type Briefing, basisOf, briefingOf } from './briefing.ts'

/** What a judge knows besides the commits. */
export interface Judging extends Basis {
  /** Null: no story is judged by itself. */
  story: JudgedStory | null
  /** What was approved to be changed: for the story, or, where several are judged together, for any of them. */
  mayChange: string[]
  /** Fingerprints that a human let pass, in whichever story. */
  waived: string[]
  /** What the acceptance story has written, as far as it counts already. */
  acceptance: Work | null
  /** The checks that have passed on this tree. */
  proven: string[]
}

export interface JudgedStory extends Pick<StoryState, 'spec' | 'kind' | 'phase' | 'red'> {
  /** The commit with the tests that show what reviewers found. */
  reproduced: CommitId | null
  /** Others than those who write the code have written its tests. */
  isVerified: boolean
}

interface Work {
  base: CommitId
  commit: CommitId
}

interface Judged {
  story: string | null
  scope: 'story' | 'line' | 'whole'
  tree: TreeId
}

export function judgingOf(state: DeliveryState, { story: id, scope, tree }: Judged): Judging {
  const { checks } = policyOf(state)
  const story = id === null ? null : storyOf(state, id)
  const declaring = scope === 'story' && story !== null ? [story] : storiesOf(state)
  return {
    ...unjudged(basisOf(state)),
    story: story === null ? null : { ...judgedOf(story), isVerified: isVerified(policyOf(state), story) },
    mayChange: declaring.flatMap(({ spec }) => spec.mayChange),
    waived: storiesOf(state).flatMap(({ waived }) => waived),
    acceptance: acceptanceWork(acceptanceOf(state)),
    proven: checks.map(({ name }) => `check:${name}`).filter((judge) => isProven(state, tree, judge)),
  }
}

/** Nothing is known of the work that is judged. */
export const unjudged = (basis: Basis): Judging => ({
  ...basis,
  ...{ story: null, mayChange: [], waived: [], acceptance: null, proven: [] },
})

const judgedOf = ({ spec, kind, phase, red, review }: StoryState): Omit<JudgedStory, 'isVerified'> => ({
  ...{ spec, kind, phase, red },
  reproduced: review.red?.commit ?? null,
})

function acceptanceWork(story: StoryState | null): Work | null {
  const control = story?.control
  switch (control?.status) {
    case 'held':
    case 'gated':
    case 'composing':
    case 'proving':
    case 'joined':
      return { base: control.base, commit: control.commit }
    case 'merged':
      return { base: control.onto, commit: control.commit }
    default:
      return null
  }
}

/** What somebody knows who gives an opinion on a story's commit. */
export interface Opining extends Briefing {
  spec: Story
  unnoticed: string[]
  /** Old tests that fail for the work, of which nobody has decided yet whether they may. */
  expectations: string[]
}

export function opiningOf(state: DeliveryState, { story }: { story: StoryId }): Opining {
  const { spec, thisAttempt } = storyOf(state, story)
  const expectations = expectationsChangedBy(state, story)
  return { ...briefingOf(state, { story }), spec, unnoticed: thisAttempt.unnoticed, expectations }
}

export interface ReviewInput extends Opining {
  asked: AskedItems
  /** Somebody has said what it was to do: the name of a branch does not. */
  isWanted: boolean
  /** From where others look at the same work, in their order. */
  seats: Vantage[]
  /** What was found before, whatever became of it. */
  known: Finding[]
  /** Items of the checklist that were found to hold before. */
  passed: string[]
}

/** What a reviewer is asked about one by one, besides what it finds. */
export interface AskedItems {
  criteria: string[]
  checklist: string[]
  /** Further stories will be looked at with the checklist. */
  isPart: boolean
  scope: boolean
}

interface Looking {
  story: StoryId
  vantage: Vantage
}

export function reviewingOf(state: DeliveryState, step: Looking): ReviewInput {
  const story = storyOf(state, step.story)
  const { open, deferred, rejected } = story.review
  const others = storiesOf(state).filter((one) => one !== story)
  const words = others.flatMap(({ review }) => Object.values(review.words).map(({ word }) => word))
  return {
    ...opiningOf(state, step),
    asked: askedOf(state, story, step.vantage),
    isWanted: isWanted(story),
    seats: seatsFor(policyOf(state), story).map(({ vantage }) => vantage),
    known: [...open, ...[...deferred, ...rejected].map(({ finding }) => finding)],
    passed: words.flatMap((word) =>
      word.status === 'returned' ? word.checklist.filter((one) => one.state === 'passed').map(({ item }) => item) : [],
    ),
  }
}

/** Criteria, checklist and scope are for the one who looks at criteria, or for the first where nobody does. */
function askedOf(state: DeliveryState, story: StoryState, vantage: Vantage): AskedItems {
  const seats = seatsOf(policyOf(state)).map((seat) => seat.vantage)
  const asked = seats.includes('criteria') ? 'criteria' : (seats[0] ?? vantage)
  const isPart = othersCome(state, story)
  if (vantage !== asked) return { criteria: [], checklist: [], isPart, scope: false }
  const checklist = (state.plan.plan?.outline?.checklist ?? []).map(({ item }) => item)
  return { criteria: story.spec.criteria, checklist, isPart, scope: isWanted(story) }
}

const isWanted = ({ kind, spec }: StoryState): boolean =>
  kind !== 'review' || spec.description.trim() !== '' || spec.criteria.length > 0

/** The checklist is of the plan as a whole: further stories may be what it waits for. */
function othersCome(state: DeliveryState, story: StoryState): boolean {
  const stories = storiesOf(state)
  const place = stories.indexOf(story)
  return stories.some(
    (other, at) =>
      at !== place && other.kind === 'story' && !isSettled(other) && (other.review.round === 0 || at > place),
  )
}
