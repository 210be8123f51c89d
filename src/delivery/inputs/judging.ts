import type { CommitId, TreeId } from '../ids.ts'
import { type DeliveryState, policyOf, storiesOf, storyOf } from '../state.ts'
import { acceptanceOf } from '../story/course/acceptance.ts'
import { isProven } from '../story/course/judging.ts'
import { isVerified } from '../story/course/strategy.ts'
import type { StoryState } from '../story/story.ts'
import { type Basis, basisOf } from './basis.ts'

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
