import { canonical } from '../../std/hash.ts'
import type { Outcome } from '../events.ts'
import type { Instant } from '../ids.ts'
import type { WorkingHours } from '../policy.ts'
import type { Answer, Option, Question } from '../question.ts'
import type { Moment } from '../shared/room.ts'
import { type DeliveryState, policyOf } from '../state.ts'
import { identified, type Step } from '../step.ts'
import { applyAnswer, wantedQuestions } from './registry.ts'

/** Questions to put, and those whose deadline has passed. */
export function dueQuestions(
  state: DeliveryState,
  moment: Moment,
): { steps: Step[]; wakeAt: Instant | null; open: boolean } {
  const wanted = unaskedQuestions(state)
  const open = openQuestions(state)
  const expired = open.filter(({ deadlineAt }) => deadlineAt !== null && deadlineAt <= moment.at)
  const deadlines = open.flatMap(({ deadlineAt }) => (deadlineAt === null ? [] : [deadlineAt]))
  return {
    steps: [
      ...wanted.map((question) => identified({ verb: 'AskQuestion', story: question.story, question }) as Step),
      ...expired.map(
        ({ id, story, default: option }) =>
          identified({ verb: 'CloseQuestion', story, question: id, option: option ?? '' }) as Step,
      ),
    ],
    wakeAt: deadlines.length === 0 || expired.length > 0 ? null : Math.min(...deadlines),
    open: open.length > 0,
  }
}

/** What must be asked and has not been. */
export const unaskedQuestions = (state: DeliveryState): Question[] =>
  wantedQuestions(state).filter((question) => state.questions[question.id] === undefined)

/** Open questions that still matter, oldest first. */
export function openQuestions(state: DeliveryState): Question[] {
  const asked = Object.values(state.questions)
  if (asked.length === 0 || state.imported !== null) return []
  const wanted = new Set(wantedQuestions(state).map((question) => question.id))
  return asked.filter((one) => one.answer === null && wanted.has(one.question.id)).map((one) => one.question)
}

/** What was shown and can still be chosen: settings may have changed since. */
export function optionsLeft(state: DeliveryState, { id, options }: Question): Option[] {
  const now = wantedQuestions(state).find((question) => question.id === id)?.options ?? []
  return options.filter((option) => now.some((one) => one.id === option.id))
}

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

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

/** When so much time has gone by in which somebody could have seen it. */
export function deadlineAfter(at: Instant, ms: number, hours: WorkingHours | null): Instant {
  if (hours === null) return at + ms
  let left = ms
  for (let day = dayOf(at, hours); ; day += 1) {
    const { from, to } = openOn(day, hours)
    const begin = Math.max(from, at)
    if (to - begin >= left) return begin + left
    left -= Math.max(0, to - begin)
  }
}

/** How much of the time between was such. */
export function openBetween(from: Instant, to: Instant, hours: WorkingHours | null): number {
  if (hours === null) return Math.max(0, to - from)
  let sum = 0
  for (let day = dayOf(from, hours); day <= dayOf(to, hours); day += 1) {
    const open = openOn(day, hours)
    sum += Math.max(0, Math.min(open.to, to) - Math.max(open.from, from))
  }
  return sum
}

const dayOf = (at: Instant, { utcOffsetMinutes }: WorkingHours): number =>
  Math.floor((at + utcOffsetMinutes * minuteMs) / dayMs)

/** Days are counted from a Thursday. */
function openOn(day: number, { days, from, to, utcOffsetMinutes }: WorkingHours): { from: Instant; to: Instant } {
  const begin = day * dayMs - utcOffsetMinutes * minuteMs
  const isOpen = days.includes((day + 4) % 7)
  return { from: begin + from * minuteMs, to: begin + (isOpen ? to : from) * minuteMs }
}
