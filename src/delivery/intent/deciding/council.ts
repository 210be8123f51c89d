import { familyOf } from '../../agents/family.ts'
import type { Policy } from '../../policy.ts'
import type { Seat, StructuredReading } from '../interpretation.ts'
import type { Council, IntentState } from '../state.ts'
import { differences, isSameText } from './compare.ts'
import { differencesBetween, votersOf } from './pairs.ts'
import { seatInQuestion, wordOf } from './weigh.ts'

interface Vote {
  seat: Seat
  reading: StructuredReading
}

/** What all readings come to together: counted by content, never by how sure anybody is. Null when no challenger spoke. */
export function councilOf(intent: IntentState, policy: Policy): Council | null {
  const votes = votesOf(intent)
  const challengers = votes.filter(({ seat }) => seat.startsWith('challenger'))
  if (challengers.length === 0) return null
  const camps = campsOf(intent, votes)
  const winner = largest(camps)
  const weaker = challengers.some(({ seat }) => isOfSameFamily(intent, policy, seat))
  const isOfOneMind = camps.length === 1 && !weaker
  const survived = winner?.some(({ seat }) => seat === seatInQuestion(intent)) ?? false
  return {
    level: winner === null ? 'ambiguous' : isOfOneMind ? 'clear' : 'uncertain',
    survived,
    winner: winner?.[0]?.seat ?? null,
    basis: basisOf(camps, winner),
    dissents:
      winner === null
        ? dissentsOf(intent, votes.slice(1), votes.slice(0, 1))
        : dissentsOf(intent, outside(votes, winner), winner),
    weaker,
  }
}

/** Who reads it otherwise than this seat; or than a rival of its own reading, which all do who do not say just that. */
export function dissentsFrom(intent: IntentState, seat: Seat | null, reading: StructuredReading): Council['dissents'] {
  if (seat !== null && wordOf(intent, seat)?.reading === reading)
    return dissentsOf(intent, votesOf(intent), [{ seat, reading }])
  return votesOf(intent).flatMap(({ seat: by, reading: held }) => {
    if (isSameText(held, reading)) return []
    const differs = differences(reading, held)
    return [{ seat: by, summary: held.summary, differs: differs.length > 0 ? differs : ['it is another reading'] }]
  })
}

/** In the order of the seats: who is held against first leads its camp. */
const votesOf = (intent: IntentState): Vote[] =>
  votersOf(intent).map((seat) => ({ seat, reading: wordOf(intent, seat)!.reading }))

function campsOf(intent: IntentState, votes: Vote[]): Vote[][] {
  const camps: Vote[][] = []
  for (const vote of votes) {
    const camp = camps.find((members) => members.every((member, index) => joins(intent, vote, { member, index })))
    if (camp === undefined) camps.push([vote])
    else camp.push(vote)
  }
  return camps
}

/** Whom it is held against: who leads, and all who gave examples. */
function joins(intent: IntentState, { seat }: Vote, { member, index }: { member: Vote; index: number }): boolean {
  if (index > 0 && member.reading.examples.length === 0) return true
  return differencesBetween(intent, member.seat, seat).length === 0
}

/** More than any other camp: never one alone, since at least two have spoken. */
function largest(camps: Vote[][]): Vote[] | null {
  const [first, second] = camps.toSorted((a, b) => b.length - a.length)
  return first !== undefined && first.length > (second?.length ?? 0) ? first : null
}

const basisOf = (camps: Vote[][], winner: Vote[] | null): string =>
  winner === null
    ? `no reading has more on its side than another (${camps.map((camp) => namesOf(camp)).join(' against ')})`
    : `${namesOf(winner)} agree${camps.length === 1 ? '' : `, ${namesOf(outside(camps.flat(), winner))} not`}`

const namesOf = (votes: Vote[]): string => votes.map(({ seat }) => seat).join(', ')

const outside = (votes: Vote[], camp: Vote[]): Vote[] => votes.filter((vote) => !camp.includes(vote))

const dissentsOf = (intent: IntentState, votes: Vote[], camp: Vote[]): Council['dissents'] =>
  votes
    .map(({ seat, reading }) => ({ seat, summary: reading.summary, differs: apartFrom(intent, camp, seat) }))
    .filter(({ differs }) => differs.length > 0)

/** In what it differs from the first of them that it differs from. */
const apartFrom = (intent: IntentState, camp: Vote[], seat: Seat): string[] =>
  camp.map((member) => differencesBetween(intent, member.seat, seat)).find((found) => found.length > 0) ?? []

function isOfSameFamily(intent: IntentState, policy: Policy, seat: Seat): boolean {
  const [one, other] = [intent.words[seatInQuestion(intent)], intent.words[seat]]
  if (one?.status !== 'read' || other?.status !== 'read') return false
  return familyOf(policy, one) === familyOf(policy, other)
}
