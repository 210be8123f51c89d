import type { Outcome } from '../delivery/events.ts'
import type { CloseQuestion } from '../delivery/step.ts'

export const closeQuestion = ({ id, question, option }: CloseQuestion): Outcome => ({
  type: 'QuestionExpired',
  step: id,
  question,
  option,
})
