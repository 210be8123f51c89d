import type { Policy } from '../../policy.ts'
import type { Seat } from '../interpretation.ts'
import type { IntentControl, IntentState } from '../state.ts'
import { councilOf } from './council.ts'
import { differencesBetween, untried } from './pairs.ts'
import { isArchitectural, mayAsk, refutedOf, seatInQuestion, weigh, wordOf } from './weigh.ts'

type Pending = Extract<IntentControl, { status: 'harvesting' | 'reading' | 'checking' | 'comparing' }>

/** What has to be done before it can be said what is meant; null: nothing. It follows from the records alone. */
export function pendingOf(intent: IntentState, policy: Policy): Pending | null {
  if (intent.context === null) return { status: 'harvesting' }
  if (isTakenAsItStands(policy)) return null
  return (
    reading(intent, policy, ['first']) ??
    checking(intent, policy, 'first') ??
    derivedAgain(intent, policy) ??
    readByOthers(intent, policy)
  )
}

export const isTakenAsItStands = ({ intent, roles }: Policy): boolean => intent.skip || roles.interpreter.length === 0

/** Whether a second reader, independent of the first, came to something else. */
export function secondDiffers(intent: IntentState): boolean {
  return differencesBetween(intent, seatInQuestion(intent), 'second').length > 0
}

/** Whether another reader of the first one's kind is to look at it. */
export const wantsSecond = (intent: IntentState, policy: Policy): boolean =>
  isForOthers(intent, policy) && weigh(intent).level === 'uncertain' && !isArchitectural(intent)

/** Whether others than the first reader's kind are to look at it. */
export function wantsCouncil(intent: IntentState, policy: Policy): boolean {
  if (!isForOthers(intent, policy)) return false
  return weigh(intent).level === 'ambiguous' || isArchitectural(intent) || secondDiffers(intent)
}

/** A human, where one can be asked, is nearer than any number of models. */
const isForOthers = (intent: IntentState, policy: Policy): boolean =>
  wordOf(intent, seatInQuestion(intent)) !== null && !(weigh(intent).vague && mayAsk(policy))

/** A seat that gave nothing usable twice is absent, and so is every seat once no reading is left. */
function reading(intent: IntentState, { limits }: Policy, seats: Seat[]): Pending | null {
  const left = Math.max(0, limits.readings - intent.asked)
  const wanted = seats.filter((seat) => intent.words[seat] === undefined)
  // Nobody's first word is given up for another's second.
  const open = wanted.toSorted((one, other) => turnOf(intent, one) - turnOf(intent, other)).slice(0, left)
  return open.length === 0 ? null : { status: 'reading', seats: open }
}

/** Each reading's assumptions are looked into once, by others. */
function checking(intent: IntentState, { roles }: Policy, seat: Seat): Pending | null {
  const assumptions = wordOf(intent, seat)?.assumptions ?? []
  const isDone = assumptions.length === 0 || intent.checked[seat] !== undefined
  return isDone || roles.challenger.length === 0 ? null : { status: 'checking', seat, assumptions }
}

/** Who has read it says once what that reading makes of the examples of others. */
function comparing(intent: IntentState, seats: Seat[]): Pending | null {
  const open = seats.filter((seat) => untried(intent, seat).length > 0)
  return open.length === 0 ? null : { status: 'comparing', seats: open }
}

/** Once: with the facts that speak against the first one. */
function derivedAgain(intent: IntentState, policy: Policy): Pending | null {
  if (refutedOf(intent, 'first').length === 0) return null
  return reading(intent, policy, ['again']) ?? checking(intent, policy, 'again')
}

function readByOthers(intent: IntentState, policy: Policy): Pending | null {
  const second = wantsSecond(intent, policy)
    ? (reading(intent, policy, ['second']) ?? comparing(intent, ['second']))
    : null
  if (second !== null) return second
  return wantsCouncil(intent, policy) && policy.roles.challenger.length > 0 ? convened(intent, policy) : null
}

function convened(intent: IntentState, policy: Policy): Pending | null {
  const challengers: Seat[] = ['challenger-1', 'challenger-2']
  const open = reading(intent, policy, challengers) ?? comparing(intent, challengers)
  if (open !== null) return open
  const winner = councilOf(intent, policy)?.winner ?? null
  return winner === null ? null : checking(intent, policy, winner)
}

/** How often the seat was asked before. */
export const turnOf = ({ faults }: IntentState, seat: Seat): number => (faults[seat] === undefined ? 0 : 1)
