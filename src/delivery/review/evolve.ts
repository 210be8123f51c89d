import { never } from '../../std/never.ts'
import type { DeliveryState } from '../state.ts'
import { storyOf } from '../state.ts'
import type { Step } from '../step.ts'
import type { StoryState } from '../story/story.ts'
import { findingsReproduced } from './course/reproducing.ts'
import { findingsTriaged, triageFaulted } from './course/sorting.ts'
import type { ReviewOutcome } from './events.ts'
import { usable } from './gathering.ts'
import type { ReviewWord } from './review.ts'
import type { ReviewStory } from './steps.ts'

/** Reviewers, the triager and tests of findings have said something. */
export function evolveReview(state: DeliveryState, event: ReviewOutcome, step: Step): void {
  const story = storyOf(state, event.story)
  switch (event.type) {
    case 'StoryReviewed':
      return step.verb === 'ReviewStory' ? hear(story, step, event.word) : undefined
    case 'FindingsTriaged':
      return findingsTriaged(state, story, event.sorted)
    case 'TriageFaulted':
      return triageFaulted(state, story, event.problems)
    case 'FindingsReproduced':
      return findingsReproduced(state, story, event)
    default:
      never(event)
  }
}

function hear(story: StoryState, { vantage, agent, model, rebuts }: ReviewStory, word: ReviewWord): void {
  const { review } = story
  if (rebuts.length > 0) {
    const rebuttals = word.status === 'returned' ? word.rebuttals : []
    review.rebuttals = { ...review.rebuttals, [vantage]: rebuttals }
  } else review.words = { ...review.words, [vantage]: { agent, model, word: usable(word) } }
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
