import type { Example, Seat, TriedExample } from '../interpretation.ts'
import type { IntentState } from '../state.ts'
import { differences, unshared } from './compare.ts'
import { seatInQuestion, wordOf } from './weigh.ts'

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
