import type { Option } from '../../question.ts'
import { asQuestion } from '../../question.ts'
import { enterQueue, settleWithout } from '../../story/course/attempts.ts'
import { told } from '../../story/story.ts'
import { moveStory } from '../../story/transitions.ts'
import { byApproving, reject, type StoryRules } from './rules.ts'

/** Whether proven work may be merged. */
export const storyGate: StoryRules<'gated'> = {
  about: 'story',
  status: 'gated',
  words: { reject },
  command: byApproving,
  ask: (_, { spec, turn }) =>
    asQuestion({
      id: `gate-${spec.id}-${turn}`,
      kind: 'story-gate',
      story: spec.id,
      text: `Merge "${spec.title}"?`,
      options,
    }),
  /** A human's no costs no attempt and no round. */
  answer(state, story, { control: { base, commit, tree }, answer }) {
    if (answer.option === 'approve') return enterQueue(state, story, { base, commit, tree })
    if (answer.option === 'skip')
      return settleWithout(state, story, { status: 'skipped', reason: answer.text || 'a human said so', because: null })
    story.findings = [told(answer.text)]
    story.thisAttempt.failures = null
    // Other tests are to be shown to fail as well, as long as the code that they are for is not there.
    if (story.kind === 'acceptance' && base === state.request?.base) story.red = null
    story.tally.rounds = 1
    story.tally.turnsBefore = story.turn
    story.round += 1
    moveStory(story, 'sentBack', { base, from: commit })
  },
}

const options: Option[] = [
  { id: 'approve', label: 'merge it' },
  { id: 'reject', label: 'send it back, and say why' },
  { id: 'skip', label: 'leave it out' },
]
