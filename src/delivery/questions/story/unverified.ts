import type { Answer, Option } from '../../question.ts'
import { asQuestion } from '../../question.ts'
import { enterReview } from '../../review/course/evolve.ts'
import { approve, isForAll, sendBack } from '../../review/course/sorting.ts'
import type { DeliveryState } from '../../state.ts'
import { storiesOf } from '../../state.ts'
import { type StoryState, told } from '../../story/story.ts'
import type { In, StoryRules } from './rules.ts'

/** All who approve are one model. Who does not answer goes on, and it is told. */
export const unverified: StoryRules<'disputed'> = {
  about: 'story',
  status: 'disputed',
  words: {
    blocking: {
      prompt: 'What has to be fixed? The coder is told this.',
      unsaid: {
        refused: 'you have not said what has to be fixed',
        remedy: 'say it: `ropewalk answer <question> blocking "…"`',
      },
    },
  },
  ask(_, { spec, review }, control) {
    if (control.about !== 'unverified') return null
    const heard = Object.entries(review.words).flatMap(([vantage, { agent, model, word }]) =>
      word.status === 'returned' ? [{ vantage, name: model ?? agent, checked: word.checked }] : [],
    )
    const lines = heard.map(({ vantage, checked }) => `- ${vantage} looked at: ${checked.join('; ')}`.slice(0, 500))
    return asQuestion({
      id: `unverified-${spec.id}-${review.round}`,
      kind: 'unverified',
      story: spec.id,
      text: `All ${heard.length} reviewers of ${spec.id} approve, but all of them are the same model (${heard[0]?.name}). Is that enough?`,
      options,
      default: 'trust',
      evidence: lines.join('\n'),
    })
  },
  answer(state, story, { control, answer }) {
    if (control.about !== 'unverified') return
    if (answer.option === 'review-again') {
      story.review.before = story.review.round
      return enterReview(state, story, control)
    }
    if (answer.option === 'blocking') return mendAsTold(state, story, { control, text: answer.text })
    trust(state, story, { control, answer })
    if (!isForAll(answer)) return
    for (const other of storiesOf(state))
      if (other.control.status === 'disputed' && other.control.about === 'unverified')
        trust(state, other, { control: other.control, answer })
  },
}

function trust(
  state: DeliveryState,
  story: StoryState,
  { control, answer }: { control: In<'disputed'>; answer: Answer },
): void {
  if (answer.by !== 'deadline') story.review.trustedBy = answer.by
  approve(state, story, control)
}

/** A human who finds something refuels the story. */
function mendAsTold(
  state: DeliveryState,
  story: StoryState,
  { control: { base, commit, tree }, text }: { control: In<'disputed'>; text: string },
): void {
  story.review.before = story.review.round
  story.tally.turnsBefore = story.turn
  sendBack(state, story, { base, commit, tree, mend: [told(text)], also: [], red: null })
}

const options: Option[] = [
  { id: 'trust', label: 'yes, that is enough' },
  { id: 'trust-all', label: 'yes, for all stories of this delivery' },
  { id: 'review-again', label: 'have it reviewed again' },
  { id: 'blocking', label: 'no: say what has to be fixed' },
]
