import type { Option } from '../../question.ts'
import { enterReview } from '../../review/course/evolve.ts'
import { dispose, sortingOf } from '../../review/course/sorting.ts'
import { aboutFindings } from './disputed.ts'
import type { StoryRules } from './rules.ts'

/** Reviewers do not agree on what blocks. */
export const split: StoryRules<'disputed'> = {
  about: 'story',
  status: 'disputed',
  ask(_, story, control) {
    if (control.about !== 'split') return null
    const text = `Reviewers of ${story.spec.id} do not agree on ${control.over.length} of their findings. Who is right?`
    return aboutFindings(story, control, { text, options })
  },
  answer(state, story, { control, answer }) {
    if (control.about !== 'split') return
    if (answer.option === 'review-again') {
      story.review.before = story.review.round
      return enterReview(state, story, control)
    }
    const because = `${answer.by} trusts those who approved`
    const trusted = control.sorted.map((one) =>
      control.over.includes(one.fingerprint) ? { ...one, fate: 'rejected' as const, because } : one,
    )
    dispose(state, story, { ...sortingOf(control), sorted: answer.option === 'trust' ? trusted : control.sorted })
  },
}

const options: Option[] = [
  { id: 'blocking', label: 'those who object are right: send it back' },
  { id: 'trust', label: 'those who approved are right' },
  { id: 'review-again', label: 'have it reviewed again' },
]
