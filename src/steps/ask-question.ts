import type { Outcome } from '../delivery/events.ts'
import type { AskQuestion } from '../delivery/step.ts'

export const askQuestion = (step: AskQuestion): Outcome => ({
  type: 'QuestionAsked',
  step: step.id,
  question: step.question,
})
