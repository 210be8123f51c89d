import type { CheckedAssumption, Seat } from '../interpretation.ts'
import { seats } from '../interpretation.ts'
import type { Choice, IntentState } from '../state.ts'
import { isSameText } from './compare.ts'
import { differencesBetween } from './pairs.ts'
import { checkedOf, seatInQuestion, wordOf } from './weigh.ts'

/** So many can still be told apart by somebody who reads them. */
const atMost = 6

/** The readings that a human can choose between: this seat's first, then what others made of it, then rivals. */
export function choicesOf(intent: IntentState, lead: Seat): Choice[] {
  const overtaken = seatInQuestion(intent) === 'again' ? 'first' : null
  const order = [lead, ...seats.filter((seat) => seat !== lead && seat !== overtaken)]
  const own = order.flatMap((seat) => ownOf(intent, seat))
  const rivals = order.flatMap((seat) => rivalsOf(intent, seat))
  const different: Found[] = []
  for (const one of [...own, ...rivals])
    if (different.every((other) => differs(intent, other, one))) different.push(one)
  return different.slice(0, atMost).map((one, index) => ({ id: `reading-${index + 1}`, ...one }))
}

type Found = Omit<Choice, 'id'>

/** Who says that something is a rival says that it is another reading. */
const differs = (intent: IntentState, one: Found, other: Found): boolean =>
  one.rival === null && other.rival === null
    ? differencesBetween(intent, one.seat, other.seat).length > 0
    : !isSameText(one.reading, other.reading)

function ownOf(intent: IntentState, seat: Seat): Found[] {
  const word = wordOf(intent, seat)
  if (word === null) return []
  return [{ seat, rival: null, reading: word.reading, evidence: checkedOf(intent, seat).map(evidenceOf).join('\n') }]
}

const evidenceOf = ({ claim, verdict, evidence }: CheckedAssumption): string =>
  [`${claim}: ${verdict}`, evidence].filter((part) => part !== '').join(', ')

const rivalsOf = (intent: IntentState, seat: Seat): Found[] =>
  (wordOf(intent, seat)?.rivals ?? []).map(({ word, reading, evidence }, rival) => ({
    ...{ seat, rival, reading },
    evidence: [`if "${word}" is read otherwise`, evidence].filter((part) => part !== '').join(': '),
  }))
