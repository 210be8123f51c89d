import { hashOf } from '../../std/hash.ts'
import type { Step } from '../step.ts'

type WithoutId<T> = T extends unknown ? Omit<T, 'id'> : never

/** Gives a step the id that follows from everything in it. */
export function identified<S extends WithoutId<Step>>(step: S): S & { id: string } {
  return { ...step, id: `${step.verb}-${hashOf(step)}` }
}
