import type { Policy } from '../../policy.ts'
import type { CheckedAssumption, Seat } from '../interpretation.ts'
import type { Council, IntentControl, IntentState } from '../state.ts'
import { councilOf, differencesBetween, untried } from './council.ts'
import { checkedOf, isArchitectural, mayAsk, refutedOf, seatInQuestion, weigh, wordOf } from './weigh.ts'

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

/** Who was wanted and was not there: an absent word is not a yes. */
export function missingOf(intent: IntentState, policy: Policy, council: Council | null): string[] {
  const isThere = (seat: Seat): boolean => wordOf(intent, seat) !== null
  if (!isThere('first')) return ['nobody gave a usable reading of the requirement: it was taken as it stands']
  const nobody = policy.roles.challenger.length === 0
  const doubts = wantsCouncil(intent, policy)
  const takesForGranted = (wordOf(intent, seatInQuestion(intent))?.assumptions.length ?? 0) > 0
  const unconfirmed = unconfirmedOf(intent)
  const challengers = (['challenger-1', 'challenger-2'] as const).filter((seat) => !isThere(seat))
  return [
    ...said(
      refutedOf(intent, 'first').length > 0 && !isThere('again'),
      'the code refutes the first reading, and it led to no other',
    ),
    ...said(takesForGranted && nobody, 'nobody looked into what the reading takes for granted: there is no challenger'),
    ...said(
      !nobody && unconfirmed.length > 0,
      `nobody could confirm what the reading takes for granted: ${unconfirmed.map(({ claim }) => claim).join('; ')}`,
    ),
    ...said(wantsSecond(intent, policy) && !isThere('second'), 'there was no second reading to hold the first against'),
    ...said(doubts && nobody, 'nobody challenged the reading: there is no challenger'),
    ...said(doubts && !nobody && challengers.length > 0, `gave no usable reading: ${challengers.join(', ')}`),
    ...said(council?.weaker === true, 'who challenged the reading is of the same model family, which is weaker'),
  ]
}

/** What much hangs on, where not one of all the assumptions was found to hold: a checker that says nothing is none. */
function unconfirmedOf(intent: IntentState): CheckedAssumption[] {
  const seat = seatInQuestion(intent)
  const all = checkedOf(intent, seat)
  if (all.some(({ verdict }) => verdict !== 'unknown')) return []
  const high = wordOf(intent, seat)?.assumptions.filter(({ stakes }) => stakes === 'high') ?? []
  return all.filter(({ id }) => high.some((one) => one.id === id))
}

const said = (holds: boolean, text: string): string[] => (holds ? [text] : [])
