import type { Reducers } from '../../shared/reducing.ts'
import type { DeliveryState } from '../../state.ts'
import { storyOf } from '../../state.ts'
import type { Step } from '../../step.ts'
import type { StoryState } from '../../story/story.ts'
import type { ReviewOutcome } from '../events.ts'
import type { ReviewWord } from '../review.ts'
import type { ReviewStory } from '../steps.ts'
import { usable } from './gathering.ts'
import { findingsReproduced } from './reproducing.ts'
import { findingsTriaged, triageFaulted } from './sorting.ts'

/** Reviewers, the triager and tests of findings have said something. */
export const reviewReducers: Reducers<ReviewOutcome, { step: Step }> = {
  StoryReviewed(state, { story, word }, { step }) {
    if (step.verb === 'ReviewStory') hear(storyOf(state, story), step, word)
  },
  FindingsTriaged: (state, { story, sorted }) => findingsTriaged(state, storyOf(state, story), sorted),
  TriageFaulted: (state, { story, problems }) => triageFaulted(state, storyOf(state, story), problems),
  FindingsReproduced: (state, event) => findingsReproduced(state, storyOf(state, event.story), event),
}

/** The world refused a turn of those who only look: who cannot look is absent. Others end otherwise: false. */
export function reviewingFailed(state: DeliveryState, step: Step, message: string): boolean {
  switch (step.verb) {
    case 'ReviewStory':
      hear(storyOf(state, step.story), step, { status: 'absent', reason: message })
      return true
    case 'TriageFindings':
      triageFaulted(state, storyOf(state, step.story), [message])
      return true
    case 'ReproduceFindings':
      findingsReproduced(state, storyOf(state, step.story), { reproductions: [], red: null })
      return true
    default:
      return false
  }
}

function hear(story: StoryState, { vantage, agent, model, rebuts }: ReviewStory, word: ReviewWord): void {
  const { review } = story
  if (rebuts.length > 0) {
    const rebuttals = word.status === 'returned' ? word.rebuttals : []
    review.rebuttals = { ...review.rebuttals, [vantage]: rebuttals }
  } else review.words = { ...review.words, [vantage]: { agent, model, word: usable(word) } }
}
