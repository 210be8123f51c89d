import type { Policy } from '../../policy.ts'
import type { CheckedAssumption, Seat } from '../interpretation.ts'
import type { Council, IntentState } from '../state.ts'
import { wantsCouncil, wantsSecond } from './course.ts'
import { checkedOf, refutedOf, seatInQuestion, wordOf } from './weigh.ts'

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
