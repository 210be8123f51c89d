import type { Instant } from '../ids.ts'
import type { Option, Question } from '../question.ts'
import type { Moment } from '../shared/room.ts'
import type { DeliveryState } from '../state.ts'
import { identified, type Step } from '../step.ts'
import { wantedQuestions } from './registry.ts'

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
