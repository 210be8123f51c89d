import { canonical } from '../../std/hash.ts'
import type { Outcome } from '../events.ts'
import type { Instant } from '../ids.ts'
import type { WorkingHours } from '../policy.ts'
import type { Answer } from '../question.ts'
import type { DeliveryState } from '../state.ts'
import { policyOf } from '../state.ts'
import { deadlineAfter, openBetween } from './hours.ts'
import { applyAnswer } from './registry.ts'

export function questionAsked(
  state: DeliveryState,
  event: Extract<Outcome, { type: 'QuestionAsked' }>,
  at: Instant,
): void {
  const { question } = event
  const { limits, workingHours } = policyOf(state)
  const deadlineAt = question.default === null ? null : deadlineAfter(at, limits.questionDeadlineMs, workingHours)
  state.questions[question.id] = { question: { ...question, deadlineAt }, at, answer: null }
}

/** The first answer stands; a later one changes nothing. */
export function questionAnswered(state: DeliveryState, id: string, answer: Answer): void {
  const asked = state.questions[id]
  if (asked === undefined || asked.answer !== null) return
  asked.answer = answer
  applyAnswer(state, asked.question, answer)
}

/** A pause does not eat into a deadline. */
export function shiftDeadlines(state: DeliveryState, since: Instant, until: Instant): void {
  const { workingHours } = policyOf(state)
  moveDeadlines(state, { at: since, hours: workingHours }, { at: until, hours: workingHours })
}

/** Under other hours there is as much time left as before. */
export function rethinkDeadlines(state: DeliveryState, before: WorkingHours | null, now: Instant): void {
  const { mode } = state
  const { workingHours: hours } = policyOf(state)
  if (canonical(before) === canonical(hours)) return
  const at = mode.status === 'paused' ? mode.since : mode.status === 'ended' ? mode.at : now
  moveDeadlines(state, { at, hours: before }, { at, hours })
}

interface Time {
  at: Instant
  hours: WorkingHours | null
}

function moveDeadlines(state: DeliveryState, from: Time, to: Time): void {
  for (const { question, answer } of Object.values(state.questions)) {
    if (answer !== null || question.deadlineAt === null) continue
    const left = openBetween(from.at, question.deadlineAt, from.hours)
    question.deadlineAt = deadlineAfter(to.at, left, to.hours)
  }
}
