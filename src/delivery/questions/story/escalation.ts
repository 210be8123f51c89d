import type { Option, Question } from '../../question.ts'
import { asQuestion } from '../../question.ts'
import type { DeliveryState } from '../../state.ts'
import { policyOf } from '../../state.ts'
import {
  beginRespec,
  isSplittable,
  refuel,
  settleWithout,
  takeOver,
  whyNotAmended,
} from '../../story/course/attempts.ts'
import { type StoryState, told } from '../../story/story.ts'
import { advice, byAnswering, type StoryRules } from './rules.ts'
import { giveUp, isLeftOut, leaveOut, packet, stopAll } from './stuck.ts'

/** The attempts of a story are spent. */
export const escalation: StoryRules<'escalated'> = {
  about: 'story',
  status: 'escalated',
  words: { retry: advice, 'other-agent': advice, amend: advice, split: advice },
  command: (question) =>
    `ropewalk retry ${question.story} --advice "…"   or   ${byAnswering({ ...question, options: besides(question) })}`,
  ask: (state, story, { reason }) =>
    asQuestion({
      id: `escalation-${story.spec.id}-${story.escalations}`,
      kind: 'escalation',
      story: story.spec.id,
      text: `${story.spec.id} needs a human: ${reason}`,
      options: optionsFor(state, story),
      evidence: packet(story),
      default: policyOf(state).unanswered,
    }),
  answer(state, story, { control: { reason }, answer }) {
    if (isLeftOut(state, story, { answer, reason })) return
    if (answer.text !== '') story.findings = [...story.findings, told(answer.text)]
    state.absences = {}
    if (answer.option === 'take-over') return takeOver(state, story)
    if (answer.option === 'split') return beginRespec(story, { as: 'split', reason })
    if (answer.option === 'amend') return beginRespec(story, { as: 'amended', reason })
    const left = answer.option === 'other-agent' ? [...story.avoid, ...[story.coder ?? []].flat()] : []
    story.avoid = left
    refuel(state, story)
  },
  leave: (state, story, { reason }) => settleWithout(state, story, { status: 'failed', reason }),
}

const besides = ({ options }: Question): Option[] => options.filter(({ id }) => id !== 'retry')

/** What there is to choose from now. */
function optionsFor(state: DeliveryState, story: StoryState): Option[] {
  const others = policyOf(state).roles.coder.filter((agent) => agent !== story.coder && !story.avoid.includes(agent))
  // Nobody works on what is only to be looked at.
  const isWork = story.kind !== 'review'
  const choices: (Option | null)[] = [
    { id: 'retry', label: 'try again, with advice' },
    others.length === 0 || !isWork ? null : { id: 'other-agent', label: `try again with another agent: ${others[0]}` },
    isWork ? { id: 'take-over', label: 'do it yourself, in its workspace' } : null,
    whyNotAmended(state, story) === null ? { id: 'amend', label: 'have the planner rewrite its specification' } : null,
    isSplittable(state, story) ? { id: 'split', label: 'split it into smaller stories' } : null,
    leaveOut,
    giveUp,
    stopAll,
  ]
  return choices.filter((choice) => choice !== null)
}
