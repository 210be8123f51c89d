// Answers about a story with which nobody could go on without a human.
import { addToContract } from '../intent/contract.ts'
import { beginRespec, letStand } from '../plan/respec.ts'
import { proposalApproved } from '../plan/respecifying.ts'
import type { DeliveryState } from '../state.ts'
import { raiseConcern } from '../state.ts'
import { refuel, settleWithout } from '../story/ladder.ts'
import type { StoryState } from '../story/story.ts'
import { handBack, takeOver } from '../story/taking-over.ts'
import { told } from '../story/told.ts'
import type { Answer } from './question.ts'

export function answerEscalation(state: DeliveryState, story: StoryState, answer: Answer): void {
  const { control } = story
  if (control.status !== 'escalated' || isLeftOut(state, story, { answer, reason: control.reason })) return
  if (answer.text !== '') story.findings = [...story.findings, told(answer.text)]
  state.absences = {}
  if (answer.option === 'take-over') return takeOver(state, story)
  if (answer.option === 'split') return beginRespec(story, 'split', control.reason)
  if (answer.option === 'amend') return beginRespec(story, 'amended', control.reason)
  story.avoid = answer.option === 'other-agent' ? [...story.avoid, ...(story.coder === null ? [] : [story.coder])] : []
  refuel(state, story)
}

/** The answer is part of what was asked for, from now on. */
export function answerGap(state: DeliveryState, story: StoryState, answer: Answer): void {
  const { control } = story
  if (control.status !== 'unclear' || isLeftOut(state, story, { answer, reason: control.reason })) return
  const text = answer.option === 'answer' ? answer.text : 'Use your best judgement, and say what you assumed.'
  if (answer.option === 'answer') addToContract(state, { question: control.reason, answer: answer.text, by: answer.by })
  else raiseConcern(state, `${story.spec.id}: ${control.reason}; the coder used its best judgement`)
  story.findings = [
    ...story.findings.filter(({ source }) => source !== 'coder'),
    told(`${control.reason}\nThe answer: ${text}`),
  ]
  refuel(state, story)
}

export function answerSpecGate(state: DeliveryState, story: StoryState, answer: Answer): void {
  const { control } = story
  if (control.status !== 'respecified' || isLeftOut(state, story, { answer, reason: control.cause })) return
  if (answer.option === 'approve') return proposalApproved(state, story)
  if (answer.option === 'keep') return letStand(state, story, `${answer.by} said so`)
  const { proposal, cause, departed } = control
  beginRespec(story, proposal.as, cause)
  if (story.control.status === 'respecifying') story.control = { ...story.control, departed, problems: [answer.text] }
}

export function answerTakeOver(state: DeliveryState, story: StoryState, answer: Answer): void {
  const { control } = story
  if (control.status !== 'taken-over' || isLeftOut(state, story, { answer, reason: 'a human gave it up' })) return
  if (answer.option === 'done') return handBack(story)
  if (answer.text !== '') story.findings = [...story.findings, told(answer.text)]
  refuel(state, story)
}

function isLeftOut(
  state: DeliveryState,
  story: StoryState,
  { answer, reason }: { answer: Answer; reason: string },
): boolean {
  const late = answer.by === 'deadline'
  const why = late ? `nobody answered in time: ${reason}` : answer.text || reason
  switch (answer.option) {
    case 'stop':
      state.mode = { status: 'stopping', reason: answer.text || `${story.spec.id} was abandoned` }
      return true
    case 'skip':
      if (late) raiseConcern(state, `${story.spec.id} was left out: ${why}`)
      settleWithout(state, story, {
        status: 'skipped',
        reason: why,
        because: null,
        ...(late ? { unanswered: true } : {}),
      })
      return true
    case 'fail':
      settleWithout(state, story, { status: 'failed', reason: why })
      return true
    default:
      return false
  }
}
