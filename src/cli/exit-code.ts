import { never } from '../std/never.ts'
import type { DeliveryWord } from '../views/word.ts'

export const exitCodes = { done: 0, error: 1, human: 2, operator: 3, budget: 4 } as const

/** What a shell is told about a delivery that is not being driven any more. */
export function exitCodeOf(word: DeliveryWord): number {
  switch (word) {
    case 'done':
    case 'done-with-concerns':
      return exitCodes.done
    case 'blocked':
    case 'waiting':
    case 'planning':
    case 'working':
    case 'landing':
      return exitCodes.human
    case 'paused':
    case 'stopping':
    case 'stopped':
      return exitCodes.operator
    case 'budget':
      return exitCodes.budget
    case 'crashed':
      return exitCodes.error
    default:
      return never(word)
  }
}
