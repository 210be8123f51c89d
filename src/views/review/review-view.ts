import type { Opinion } from '../../delivery/review/review.ts'
import type { DeliveryState } from '../../delivery/state.ts'
import { storiesOf } from '../../delivery/state.ts'
import type { StoryState } from '../../delivery/story/story.ts'
import { toldConcerns } from '../word.ts'
import { type ScopeView, type StoryReview, storyReview } from './story-review.ts'

/** A review of work that was there already. What `review` shows, and its JSON. */
export interface ReviewView extends StoryReview {
  delivery: string
  /** What was reviewed, in the words of who asked. */
  subject: string
  base: string
  commit: string
  /** Null: there is no verdict, and `reason` says why. */
  verdict: Opinion | null
  reason: string
  concerns: string[]
  core: { path: string; reasons: string[] }[]
  noise: { path: string; because: string }[]
}

/** Null when this delivery is not a review. */
export function reviewView(
  state: DeliveryState,
  { core, noise }: Pick<ReviewView, 'core' | 'noise'>,
): ReviewView | null {
  const subject = state.request?.review ?? null
  if (subject === null) return null
  const story = storiesOf(state).find(({ kind }) => kind === 'review')
  const found = (story === undefined ? null : storyReview(story)) ?? nothing
  const { mode } = state
  return {
    ...found,
    open: found.open.length > 0 ? found.open : (story?.findings ?? []),
    scope: subject.description.trim() === '' && subject.criteria.length === 0 ? nobodySaid : found.scope,
    delivery: state.id,
    subject: state.request?.requirement.text ?? '',
    base: subject.base,
    commit: subject.commit,
    verdict: story === undefined ? null : verdictOf(story),
    reason:
      story !== undefined && 'reason' in story.control
        ? story.control.reason
        : mode.status === 'ended'
          ? mode.reason
          : '',
    concerns: toldConcerns(state),
    core,
    noise,
  }
}

const verdictOf = ({ control }: StoryState): Opinion | null => (control.status === 'reviewed' ? control.verdict : null)

const nobodySaid: ScopeView = { status: 'unjudged', why: 'nobody said what the work was meant to do', findings: [] }

const nothing: StoryReview = {
  ...{ round: 0, reviewers: [], criteria: [], checklist: [], open: [], deferred: [], rejected: [], split: [] },
  ...{ unverified: false, trustedBy: null },
  scope: { status: 'unjudged', why: 'no reviewer says anything about it', findings: [] },
}
