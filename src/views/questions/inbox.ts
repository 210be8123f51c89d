import type { Instant } from '../../delivery/ids.ts'
import { openQuestions } from '../../delivery/questions/due.ts'
import type { Question } from '../../delivery/questions/question.ts'
import type { DeliveryState } from '../../delivery/state.ts'
import { packetOf } from './packet.ts'

/** A question that waits for a human, with all they need to answer it. What `inbox` shows, and its JSON. */
export interface InboxItem {
  delivery: string
  requirement: string
  repository: string
  question: Omit<Question, 'evidence'>
  evidence: string[]
  /** What will be done by itself, and when; null: it waits for as long as it takes. */
  otherwise: { option: string; at: Instant } | null
}

export const inboxOf = (state: DeliveryState): InboxItem[] =>
  openQuestions(state).map((question) => {
    const { evidence: _, ...rest } = question
    const { deadlineAt, default: option } = question
    return {
      delivery: state.id,
      requirement: state.request?.requirement.text ?? '',
      repository: state.request?.repository.path ?? '',
      question: rest,
      evidence: packetOf(state, question),
      otherwise: deadlineAt === null || option === null ? null : { option, at: deadlineAt },
    }
  })
