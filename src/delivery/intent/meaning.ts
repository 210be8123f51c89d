// What later roles are told of the intent.
import type { WorkKind } from './context.ts'
import type { CheckedAssumption, Interpretation } from './interpretation.ts'
import type { IntentState } from './state.ts'

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
