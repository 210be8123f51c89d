import { decide } from '../../src/delivery/decide.ts'
import type { Policy } from '../../src/delivery/policy.ts'
import type { ReviewSubject } from '../../src/delivery/review/review.ts'
import { initialState } from '../../src/delivery/state.ts'
import { reviewed } from './judgement-sample.ts'
import { Player } from './player.ts'
import { policy, request } from './sample.ts'

const subject = { base: 'c1', commit: 'c2', tree: 't2', title: 'A branch', description: '', criteria: [], calls: [] }
export const nobodyCodes = { coder: [], triager: ['one'] }

export const reviewAsked = (pinned: Policy, about: Partial<ReviewSubject> = {}) =>
  decide({ ...request(pinned, null), review: { ...subject, ...about } } as never, initialState('d'))

/** A delivery that only wants a review. */
export function reviewing(given: Partial<Policy> = {}, about: Partial<ReviewSubject> = {}): Player {
  const pinned = policy({ ...reviewed(), ...given, roles: nobodyCodes } as never)
  const decision = reviewAsked(pinned, about)
  if ('refused' in decision) throw new Error(decision.refused)
  return new Player(pinned, null, decision.events)
}
