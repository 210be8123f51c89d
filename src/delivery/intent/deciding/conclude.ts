import type { Policy } from '../../policy.ts'
import type { Ambiguity } from '../context.ts'
import { type CheckedAssumption, type Seat, seats } from '../interpretation.ts'
import type { Ask, Choice, Council, IntentState, Weighed } from '../state.ts'
import { isSameText } from './compare.ts'
import { councilOf, differencesBetween } from './council.ts'
import { missingOf, secondDiffers } from './course.ts'
import { checkedOf, mayAsk, refutedOf, seatInQuestion, weigh, wordOf } from './weigh.ts'

/** What follows when nobody has anything more to read. */
export interface Conclusion {
  weighed: Weighed
  council: Council | null
  /** Null: it is settled, by this seat's reading, or as the requirement stands. */
  ask: Ask | null
  seat: Seat | null
  because: string
  concerns: string[]
}

/** Plain code decides: on a reading, on a question, or that nobody can tell. It never picks between readings. */
export function conclude(intent: IntentState, policy: Policy): Conclusion {
  const found = foundOf(intent, policy)
  const { weighed, council, left, seat } = found
  const ask = askOf(intent, found)
  const must = found.disputed || found.shaken || weighed.vague || found.lacks.length > 0 || isUndefended(found, ask)
  const asks = must || left !== 'clear' || policy.intent.confirm === 'always'
  const open = asks && (mayAsk(policy) || (must && ask.default === null))
  const silent = !open && (must || left !== 'clear')
  return {
    ...{ weighed, council, seat, ask: open ? ask : null },
    because: council?.basis ?? (left === weighed.level ? `it is ${left}` : 'two readings agree'),
    concerns: [...missingOf(intent, policy, council), ...(silent ? [silentText(intent, seat, ask.why)] : [])],
  }
}

interface Found {
  weighed: Weighed
  council: Council | null
  /** What is left of the ambiguity. */
  left: Ambiguity
  /** Readings of different outcome, and nobody to settle it. */
  disputed: boolean
  /** Whose reading it is; null: nobody's. */
  seat: Seat | null
  /** What it stands on and the code says otherwise. */
  shaken: boolean
  /** Values that it needs and nobody has given. */
  lacks: string[]
}

function foundOf(intent: IntentState, policy: Policy): Found {
  const weighed = weigh(intent)
  // What readers said counts, also where nobody would be asked to read it now.
  const council = councilOf(intent, policy)
  const disputed = council === null ? secondDiffers(intent) : council.winner === null || council.dissents.length > 0
  const first = disputed || wordOf(intent, seatInQuestion(intent)) === null ? null : seatInQuestion(intent)
  const seat = council === null ? first : council.winner
  const shaken = seat !== null && refutedOf(intent, seat).length > 0
  const lacks = wordOf(intent, seat ?? seatInQuestion(intent))?.missing ?? []
  return { weighed, council, left: leftOf(intent, weighed, council), disputed, seat, shaken, lacks }
}

/** Two readings that agree clear it, and so does a council of one mind. */
function leftOf(intent: IntentState, { level }: Weighed, council: Council | null): Ambiguity {
  if (council !== null) return council.level
  return wordOf(intent, 'second') !== null && !secondDiffers(intent) ? 'clear' : level
}

/** There is a default only where one reading has most on its side, stands on nothing wrong, lacks nothing, and can be defended. */
function askOf(intent: IntentState, found: Found): Ask {
  const { seat, shaken, lacks } = found
  const choices = choicesOf(intent, seat ?? seatInQuestion(intent))
  const isDefensible = seat !== null && !shaken && lacks.length === 0 && wordOf(intent, seat)?.defensible === true
  const own = choices.find((choice) => choice.seat === seat && choice.rival === null)
  return { why: whyOf(found), choices, default: isDefensible ? (own?.id ?? null) : null }
}

/** There is another reading, and not even who made this one would stand by it. */
const isUndefended = ({ left }: Found, { choices, default: own }: Ask): boolean =>
  left !== 'clear' && choices.length > 1 && own === null

function whyOf({ weighed, council, left, shaken, disputed, lacks }: Found): string {
  if (shaken) return 'the reading rests on something that the code says otherwise'
  if (disputed) return `readers differ (${council?.basis ?? 'first against second'})`
  if (lacks.length > 0) return `nobody has given what it needs: ${lacks.join('; ')}`
  const vague = weighed.because.find(({ name }) => name === 'vague')
  if (vague !== undefined) return `the requirement is vague (${vague.evidence})`
  const signs = telling(weighed).map(({ name, evidence }) => (evidence === '' ? name : `${name}: ${evidence}`))
  return left === 'clear' ? 'it is to be confirmed in any case' : `it is ${left} (${signs.join('; ')})`
}

/** What has set no level says nothing to whoever is asked, and the same is not said twice. */
const telling = ({ because }: Weighed): Weighed['because'] =>
  because.filter(
    ({ name, sets }) =>
      sets !== 'clear' && !(name === 'no-identity' && because.some((one) => one.name === 'no-project-identity')),
  )

function silentText(intent: IntentState, seat: Seat | null, why: string): string {
  const summary = seat === null ? null : (wordOf(intent, seat)?.reading.summary ?? null)
  return `nobody was asked what is meant, though ${why}${summary === null ? '' : `; taken as: ${summary}`}`
}

/** So many can still be told apart by somebody who reads them. */
const atMost = 6

/** The readings that a human can choose between: this seat's first, then what others made of it, then rivals. */
export function choicesOf(intent: IntentState, lead: Seat): Choice[] {
  const overtaken = seatInQuestion(intent) === 'again' ? 'first' : null
  const order = [lead, ...seats.filter((seat) => seat !== lead && seat !== overtaken)]
  const own = order.flatMap((seat) => ownOf(intent, seat))
  const rivals = order.flatMap((seat) => rivalsOf(intent, seat))
  const different: Candidate[] = []
  for (const one of [...own, ...rivals])
    if (different.every((other) => differs(intent, other, one))) different.push(one)
  return different.slice(0, atMost).map((one, index) => ({ id: `reading-${index + 1}`, ...one }))
}

type Candidate = Omit<Choice, 'id'>

/** Who says that something is a rival says that it is another reading. */
const differs = (intent: IntentState, one: Candidate, other: Candidate): boolean =>
  one.rival === null && other.rival === null
    ? differencesBetween(intent, one.seat, other.seat).length > 0
    : !isSameText(one.reading, other.reading)

function ownOf(intent: IntentState, seat: Seat): Candidate[] {
  const word = wordOf(intent, seat)
  if (word === null) return []
  return [{ seat, rival: null, reading: word.reading, evidence: checkedOf(intent, seat).map(evidenceOf).join('\n') }]
}

const evidenceOf = ({ claim, verdict, evidence }: CheckedAssumption): string =>
  [`${claim}: ${verdict}`, evidence].filter((part) => part !== '').join(', ')

const rivalsOf = (intent: IntentState, seat: Seat): Candidate[] =>
  (wordOf(intent, seat)?.rivals ?? []).map(({ word, reading, evidence }, rival) => ({
    ...{ seat, rival, reading },
    evidence: [`if "${word}" is read otherwise`, evidence].filter((part) => part !== '').join(': '),
  }))
