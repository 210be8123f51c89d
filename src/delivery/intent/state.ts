import type { Who } from '../ids.ts'
import type { Ambiguity, Harvest, Signal, WorkKind } from './context.ts'
import type {
  Assumption,
  CheckedAssumption,
  Interpretation,
  Seat,
  StructuredReading,
  TriedExample,
} from './interpretation.ts'

/** What is known about what is meant. The records only grow; where it stands follows from them and the policy. */
export interface IntentState {
  control: IntentControl
  context: Harvest | null
  /** The word of each seat that was asked, and that is not asked again. */
  words: Partial<Record<Seat, SeatWord>>
  /** Why a seat's first answer did not do; it is asked once more. */
  faults: Partial<Record<Seat, string[]>>
  /** Readings that were asked for, usable or not. */
  asked: number
  /** What became of a reading's assumptions, by the seat that made them. */
  checked: Partial<Record<Seat, CheckedAssumption[]>>
  /** What a seat's reader says to the examples of others, by that seat. */
  tried: Partial<Record<Seat, TriedExample[]>>
  /** How ambiguous the requirement was found to be, before others looked at it. */
  level: Weighed | null
  /** What others than the first reader made of it; null: nobody else was asked. */
  council: Council | null
  /** What we go by; null: not settled yet. */
  meaning: Meaning | null
  /** Null until it is settled; then only a human's answer changes it. */
  contract: IntentContract | null
}

export type IntentControl =
  /** What is known is collected, without a model. */
  | { status: 'harvesting' }
  /** These seats are to say what they take it to mean. */
  | { status: 'reading'; seats: Seat[] }
  /** The assumptions of this seat's reading are looked into by somebody who knows nothing else. */
  | { status: 'checking'; seat: Seat; assumptions: Assumption[] }
  /** These seats are to say whether their readings have the examples of others so. */
  | { status: 'comparing'; seats: Seat[] }
  /** A human is to say which reading it is; when nobody may be asked, the delivery is blocked. */
  | { status: 'asking'; ask: Ask }
  | { status: 'settled' }
  /** A human brought a plan: nobody looks into what is meant. */
  | { status: 'given' }

export type SeatWord =
  | ({ status: 'read'; interpretation: Interpretation; quality: 'full' | 'partial' } & Who)
  /** It gave no usable reading. */
  | { status: 'absent'; problems: string[] }

export interface Weighed {
  level: Ambiguity
  /** At least two of the rules for a requirement are broken: only a human can help. */
  vague: boolean
  /** All that speaks for it, each with the level that it sets. */
  because: Signal[]
}

export interface Council {
  /** What is left of the ambiguity. */
  level: Ambiguity
  /** Whether the first reading is still the one. */
  survived: boolean
  /** Whose reading it is; null: no two agree more than any others do. */
  winner: Seat | null
  basis: string
  /** Later roles see them. */
  dissents: { seat: Seat; summary: string; differs: string[] }[]
  /** Those asked were of the same model family, or the same model. */
  weaker: boolean
}

/** What a human is asked, and what holds when there is nobody to answer. */
export interface Ask {
  why: string
  choices: Choice[]
  /** The option that can be defended; null: there is none. */
  default: string | null
}

/** One reading that a human can choose. */
export interface Choice {
  /** Of the question's option. */
  id: string
  seat: Seat
  /** Which of that seat's rivals it is; null: its own reading. */
  rival: number | null
  reading: StructuredReading
  evidence: string
}

/** The reading that planning, coding and reviewing go by. */
export interface Meaning {
  reading: StructuredReading
  /** Whose it is; null: the requirement was taken as it stands. */
  seat: Seat | null
  /** Who settled it: plain code, a human, or a deadline. */
  by: string
  because: string
}

/** Requirement, answers and criteria of the whole: no agent changes it. */
export interface IntentContract {
  hash: string
  criteria: string[]
  answers: { question: string; answer: string; by: string }[]
}

export const noIntent = (): IntentState => ({
  control: { status: 'harvesting' },
  context: null,
  words: {},
  faults: {},
  asked: 0,
  checked: {},
  tried: {},
  level: null,
  council: null,
  meaning: null,
  contract: null,
})

// What later roles are told of the intent.

/** Whether planning may begin. */
export const isIntentSettled = ({ control }: IntentState): boolean =>
  control.status === 'settled' || control.status === 'given'

/** The interpretation whose reading we go by, or one of whose rivals was chosen; null: nobody's. */
export function interpretationOf({ meaning, words }: IntentState): Interpretation | null {
  const word = meaning?.seat == null ? undefined : words[meaning.seat]
  return word?.status === 'read' ? word.interpretation : null
}

/** As the reading we go by has it; else as it was told without a model; null: nobody looked. */
export const workKindOf = (intent: IntentState): WorkKind | null =>
  interpretationOf(intent)?.workKind ?? intent.context?.workKind ?? null

/** What nobody could tell about the reading we go by: a risk that reviewers must look at. */
export const unknownsOf = (intent: IntentState): CheckedAssumption[] =>
  checkedOf(intent).filter(({ verdict }) => verdict === 'unknown')

/** What the code was found to say otherwise than a reading had it, whichever: every later role hears of it. */
export const correctionsOf = ({ checked }: IntentState): CheckedAssumption[] =>
  Object.values(checked).flatMap((all) => all.filter(({ verdict }) => verdict === 'refuted'))

const checkedOf = ({ meaning, checked }: IntentState): CheckedAssumption[] =>
  meaning?.seat == null ? [] : (checked[meaning.seat] ?? [])
