import type { Policy } from '../../policy.ts'
import type { Ambiguity, Signal } from '../context.ts'
import { ambiguities } from '../context.ts'
import type { CheckedAssumption, Interpretation, Seat } from '../interpretation.ts'
import type { IntentState, Weighed } from '../state.ts'

/** More open assumptions than these make a requirement less clear, whatever the reader says of it. */
const openAssumptions = 2

/** How ambiguous it is: never less than the reader says, than what is around the text says, than what was found since. */
export function weigh(intent: IntentState): Weighed {
  const because = [...(intent.context?.signals ?? []), ...ofRequirement(intent), ...ofReading(intent)]
  return {
    level: because.reduce((most, { sets }) => worse(most, sets), 'clear' as Ambiguity),
    vague: isVague(intent),
    because,
  }
}

export const worse = (one: Ambiguity, other: Ambiguity): Ambiguity =>
  ambiguities.indexOf(one) < ambiguities.indexOf(other) ? other : one

/** The reading that others are held against: the one made with the facts, else the first. */
export const seatInQuestion = ({ words }: IntentState): Seat => (words.again?.status === 'read' ? 'again' : 'first')

export function wordOf({ words }: IntentState, seat: Seat): Interpretation | null {
  const word = words[seat]
  return word?.status === 'read' ? word.interpretation : null
}

/** What became of each assumption of a reading: of what nobody spoke, nothing is known. */
export function checkedOf(intent: IntentState, seat: Seat): CheckedAssumption[] {
  const known = new Map(intent.checked[seat]?.map((one) => [one.id, one]))
  return (wordOf(intent, seat)?.assumptions ?? []).map(
    ({ id, claim }) =>
      known.get(id) ?? { id, claim, verdict: 'unknown', evidence: 'nobody looked into it', file: null, line: null },
  )
}

/** What it stands on and the code says otherwise. */
export function refutedOf(intent: IntentState, seat: Seat): CheckedAssumption[] {
  const high = wordOf(intent, seat)?.assumptions.filter(({ stakes }) => stakes === 'high') ?? []
  return checkedOf(intent, seat).filter(
    ({ id, verdict }) => verdict === 'refuted' && high.some((assumption) => assumption.id === id),
  )
}

export const isArchitectural = (intent: IntentState): boolean =>
  intent.context?.workKind === 'architectural' || wordOf(intent, seatInQuestion(intent))?.workKind === 'architectural'

const brokenRules = ({ context }: IntentState) => (context?.clarity ?? []).filter(({ passed }) => !passed)

const isVague = (intent: IntentState): boolean => brokenRules(intent).length >= 2

function ofRequirement(intent: IntentState): Signal[] {
  const broken = brokenRules(intent)
  return [
    ...when(isVague(intent), 'vague', 'uncertain', broken.map(({ rule, why }) => `${rule}: ${why}`).join('; ')),
    ...when(intent.context?.hasIdentity === false, 'no-identity', 'uncertain', 'nothing says what the project is'),
    ...when(isArchitectural(intent), 'architectural', 'uncertain', 'it changes how the parts fit together'),
  ]
}

function ofReading(intent: IntentState): Signal[] {
  const seat = seatInQuestion(intent)
  const word = intent.words[seat]
  if (word === undefined) return []
  if (word.status === 'absent') return [signal('no-reading', 'uncertain', word.problems.join('; '))]
  const { ambiguity, question } = word.interpretation
  const unknown = checkedOf(intent, seat).filter(({ verdict }) => verdict === 'unknown')
  const refuted = refutedOf(intent, seat)
  return [
    ...when(ambiguity !== 'clear', 'self-reported', ambiguity, question),
    ...when(word.quality === 'partial', 'partial-reading', 'uncertain', 'the answer had to be cut to be usable'),
    ...when(
      unknown.length > openAssumptions,
      'open-assumptions',
      'uncertain',
      unknown.map(({ claim }) => claim).join('; '),
    ),
    ...when(refuted.length > 0, 'refuted', 'ambiguous', refuted.map(({ claim }) => claim).join('; ')),
  ]
}

const signal = (name: string, sets: Ambiguity, evidence: string): Signal => ({ name, sets, evidence })

const when = (holds: boolean, ...about: Parameters<typeof signal>): Signal[] => (holds ? [signal(...about)] : [])

/** Whether a human may be asked at all. */
export const mayAsk = ({ unattended, intent }: Policy): boolean => !unattended && intent.confirm !== 'never'
