import type { Option } from '../../question.ts'
import { asQuestion } from '../../question.ts'
import { handBack, refuel } from '../../story/course/attempts.ts'
import { told } from '../../story/story.ts'
import { advice, type StoryRules } from './rules.ts'
import { isLeftOut, leaveOut, packet, stopAll } from './stuck.ts'

/** A human works on a story, and says when they are done. */
export const takeOverRules: StoryRules<'taken-over'> = {
  about: 'story',
  status: 'taken-over',
  words: {
    done: { prompt: 'Anything to say to those who come after? You can leave this empty.', unsaid: null },
    retry: advice,
  },
  ask: (_, story, { stage, path }) =>
    stage !== 'theirs'
      ? null
      : asQuestion({
          id: `take-over-${story.spec.id}-${story.attempt}`,
          kind: 'take-over',
          story: story.spec.id,
          text: `${story.spec.id} is yours, in ${path}: work there, then say that you are done`,
          options,
          evidence: packet(story),
        }),
  answer(state, story, { answer }) {
    if (isLeftOut(state, story, { answer, reason: 'a human gave it up' })) return
    if (answer.option === 'done') return handBack(story)
    if (answer.text !== '') story.findings = [...story.findings, told(answer.text)]
    refuel(state, story)
  },
}

const options: Option[] = [
  { id: 'done', label: 'I am done: take what is there, and judge it' },
  { id: 'retry', label: 'give it back to the agents' },
  leaveOut,
  stopAll,
]
