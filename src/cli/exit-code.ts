import type { DeliveryWord } from '../views/summary.ts'

export const exitCodes = { done: 0, error: 1, human: 2, operator: 3, budget: 4 } as const

/** What a shell is told about a delivery that is not being driven any more. */
export const exitCodeOf = (word: DeliveryWord): number => exitCodes[kinds[word]]

const kinds: Record<DeliveryWord, keyof typeof exitCodes> = {
  done: 'done',
  'done-with-concerns': 'done',
  blocked: 'human',
  waiting: 'human',
  planning: 'human',
  working: 'human',
  landing: 'human',
  paused: 'operator',
  stopping: 'operator',
  stopped: 'operator',
  budget: 'budget',
  crashed: 'error',
}
