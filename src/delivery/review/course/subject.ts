import { plainStory, type Story } from '../../plan/plan.ts'
import type { DeliveryState } from '../../state.ts'
import { freshStory } from '../../story/story.ts'
import type { ReviewSubject } from '../review.ts'

/** A delivery that only wants a review has one story, whose work is there already. */
export function beginReview(state: DeliveryState): void {
  const subject = state.request?.review ?? null
  if (subject === null || state.order.length > 0) return
  const spec = storyOfSubject(subject)
  const story = freshStory(spec, 'review')
  story.review.calls = subject.calls
  state.plan.plan = { stories: [spec], outline: null }
  state.plan.control = { status: 'approved' }
  state.plan.revision = 1
  state.order = [spec.id]
  state.stories = { [spec.id]: story }
}

const storyOfSubject = ({ title, description, criteria }: ReviewSubject): Story =>
  plainStory({
    id: 'review',
    title,
    description,
    criteria,
    complexity: 1,
    mayBeEmpty: true,
    strategy: 'none',
    noTestsBecause: 'it is only looked at',
  })
