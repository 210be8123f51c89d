import { addToContract } from '../../intent/course/evolve.ts'
import type { Option } from '../../question.ts'
import { asQuestion } from '../../question.ts'
import { policyOf, raiseConcern } from '../../state.ts'
import { refuel, settleWithout } from '../../story/course/attempts.ts'
import { told } from '../../story/story.ts'
import type { StoryRules } from './rules.ts'
import { giveUp, isLeftOut, leaveOut, packet, stopAll } from './stuck.ts'

/** What is wanted cannot be told from what is known. */
export const intentGap: StoryRules<'unclear'> = {
  about: 'story',
  status: 'unclear',
  words: {
    answer: {
      prompt: 'What is wanted? It becomes part of what was asked for.',
      unsaid: {
        refused: 'the answer is empty',
        remedy: 'say what is wanted: `ropewalk answer <question> answer "…"`',
      },
    },
  },
  ask: (state, story, { reason }) =>
    asQuestion({
      id: `intent-gap-${story.spec.id}-${story.escalations}`,
      kind: 'intent-gap',
      story: story.spec.id,
      text: `${story.spec.id} cannot go on, nor can any other story, until you say what is wanted: ${reason}`,
      options,
      evidence: packet(story),
      default: policyOf(state).unanswered,
    }),
  /** The answer is part of what was asked for, from now on. */
  answer(state, story, { control: { reason }, answer }) {
    if (isLeftOut(state, story, { answer, reason })) return
    const text = answer.option === 'answer' ? answer.text : 'Use your best judgement, and say what you assumed.'
    if (answer.option === 'answer') addToContract(state, { question: reason, answer: answer.text, by: answer.by })
    else raiseConcern(state, `${story.spec.id}: ${reason}; the coder used its best judgement`)
    story.findings = [
      ...story.findings.filter(({ source }) => source !== 'coder'),
      told(`${reason}\nThe answer: ${text}`),
    ]
    refuel(state, story)
  },
  leave: (state, story, { reason }) => settleWithout(state, story, { status: 'failed', reason }),
}

const options: Option[] = [
  { id: 'answer', label: 'say what is wanted' },
  { id: 'best-judgement', label: 'let the coder decide, and say what it assumed' },
  leaveOut,
  giveUp,
  stopAll,
]
