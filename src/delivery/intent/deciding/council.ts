import { familyOf } from '../../agents/family.ts'
import type { Policy } from '../../policy.ts'
import { agree, differences } from '../compare.ts'
import type { Reading, Seat } from '../interpretation.ts'
import type { Council, IntentState } from '../state.ts'
import { subjectOf, wordOf } from './weigh.ts'

interface Vote {
  seat: Seat
  reading: Reading
}

/** What all readings come to together: counted by content, never by how sure anybody is. Null when no challenger spoke. */
export function councilOf(intent: IntentState, policy: Policy): Council | null {
  const votes = votesOf(intent)
  const challengers = votes.filter(({ seat }) => seat.startsWith('challenger'))
  if (challengers.length === 0) return null
  const camps = campsOf(votes)
  const winner = largest(camps)
  const weaker = challengers.some(({ seat }) => isOfSameFamily(intent, policy, seat))
  const isOfOneMind = camps.length === 1 && !weaker
  const survived = winner?.some(({ seat }) => seat === subjectOf(intent)) ?? false
  return {
    level: winner === null ? 'ambiguous' : isOfOneMind ? 'clear' : 'uncertain',
    survived,
    winner: winner?.[0]?.seat ?? null,
    basis: basisOf(camps, winner),
    dissents: winner === null ? dissentsOf(votes.slice(1), votes[0]!) : dissentsOf(outside(votes, winner), winner[0]!),
    weaker,
  }
}

/** Who reads it otherwise than this. */
export const dissentsFrom = (intent: IntentState, reading: Reading): Council['dissents'] =>
  dissentsOf(votesOf(intent), { seat: subjectOf(intent), reading })

/** In the order of the seats: who is held against first leads its camp. */
function votesOf(intent: IntentState): Vote[] {
  const order: Seat[] = [subjectOf(intent), 'second', 'challenger-1', 'challenger-2']
  return order.flatMap((seat) => {
    const word = wordOf(intent, seat)
    return word === null ? [] : [{ seat, reading: word.reading }]
  })
}

function campsOf(votes: Vote[]): Vote[][] {
  const camps: Vote[][] = []
  for (const vote of votes) {
    const camp = camps.find(([leader]) => agree(leader!.reading, vote.reading))
    if (camp === undefined) camps.push([vote])
    else camp.push(vote)
  }
  return camps
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

const dissentsOf = (votes: Vote[], held: Vote): Council['dissents'] =>
  votes
    .map(({ seat, reading }) => ({ seat, summary: reading.summary, differs: differences(held.reading, reading) }))
    .filter(({ differs }) => differs.length > 0)

function isOfSameFamily(intent: IntentState, policy: Policy, seat: Seat): boolean {
  const [one, other] = [intent.words[subjectOf(intent)], intent.words[seat]]
  if (one?.status !== 'read' || other?.status !== 'read') return false
  return familyOf(policy, one) === familyOf(policy, other)
}
