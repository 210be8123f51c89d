import type { ReviewWord } from '../../delivery/review/review.ts'
import type { ReviewStory } from '../../delivery/review/steps.ts'
import { storyOf } from '../../delivery/state.ts'
import type { Ending, Performance } from '../../ports/performer.ts'
import type { StepWorld } from '../world.ts'
import type { Subject } from './change.ts'
import type { Ground } from './founded.ts'

export const reviewed = ({ id, story, vantage, commit }: ReviewStory, word: ReviewWord): Ending => ({
  type: 'StoryReviewed',
  step: id,
  ...{ story, vantage, commit, word },
})

export const absent = (reason: string): ReviewWord => ({ status: 'absent', reason: reason.slice(0, 1_000) })

export function groundOf(
  world: StepWorld,
  { state, step }: Performance<ReviewStory>,
  { repository, whole, shown }: Subject,
): Ground {
  const { open, deferred, rejected } = storyOf(state, step.story).review
  const disposed = [...deferred, ...rejected].map(({ finding }) => finding)
  const known = [...step.open, ...open, ...disposed]
  const source = `review:${step.vantage}`
  return { repository, commit: step.commit, redact: world.redact, whole, shown, known, source }
}
