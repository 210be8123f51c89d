import type { Policy } from '../../policy.ts'
import { familyOf } from '../../shared/agents.ts'
import type { Example, Seat, StructuredReading, TriedExample } from '../interpretation.ts'
import type { Council, IntentState } from '../state.ts'
import { differences, isSameText, unshared } from './compare.ts'
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

/** Whose readings are held against each other, in this order; who comes later says what it makes of earlier ones. */
export const votersOf = (intent: IntentState): Seat[] =>
  [seatInQuestion(intent), 'second' as const, 'challenger-1' as const, 'challenger-2' as const].filter(
    (seat) => wordOf(intent, seat) !== null,
  )

/** In what the readings of two seats differ: what plain code sees, and what one of them says to the other's examples. */
export function differencesBetween(intent: IntentState, one: Seat, other: Seat): string[] {
  const order = votersOf(intent)
  const [of, by] = order.indexOf(one) < order.indexOf(other) ? [one, other] : [other, one]
  const [earlier, later] = [wordOf(intent, of), wordOf(intent, by)]
  if (of === by || earlier === null || later === null) return []
  const plain = differences(earlier.reading, later.reading)
  const open = unshared(earlier.reading, later.reading)
  if (plain.length > 0 || open.length === 0) return plain
  const tried = (intent.tried[by] ?? []).filter((example) => example.of === of)
  const denied = tried.filter(({ verdict }) => verdict === 'no')
  if (denied.length > 0)
    return denied.map(({ input, output, why }) => `${input} → ${output}: not as ${by} reads it (${why})`)
  const isSilent =
    open.length === earlier.reading.examples.length && tried.every(({ verdict }) => verdict === 'unknown')
  if (isSilent) return [`nobody could say whether the examples of ${of} hold as ${by} reads it`]
  const otherwise = open.filter((example) => example.isNamed && !isAccepted(tried, example))
  return otherwise.map(({ input, output }) => `${input} → ${output}, or what ${by} has for it`)
}

const isAccepted = (tried: TriedExample[], { input, output }: Example): boolean =>
  tried.some((one) => one.verdict === 'yes' && one.input === input && one.output === output)

/** The examples of earlier seats that this one's reading is still to be held against, of all that plain code does not see to differ. */
export function untried(intent: IntentState, by: Seat): (Example & { of: Seat })[] {
  const own = wordOf(intent, by)
  if (own === null || intent.tried[by] !== undefined) return []
  const order = votersOf(intent)
  return order.slice(0, Math.max(0, order.indexOf(by))).flatMap((of) => {
    const { reading } = wordOf(intent, of)!
    if (differences(reading, own.reading).length > 0) return []
    return unshared(reading, own.reading).map(({ input, output }) => ({ input, output, of }))
  })
}
