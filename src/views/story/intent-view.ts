import { correctionsOf, interpretationOf, unknownsOf } from '../../delivery/intent/meaning.ts'
import type { IntentState } from '../../delivery/intent/state.ts'

/** What the requirement is taken to mean, and how that came about. */
export interface IntentView {
  /** Null while it is being settled. */
  meaning: { summary: string; behaviours: string[]; by: string; because: string } | null
  level: string | null
  readings: { seat: string; agent: string; summary: string; ambiguity: string }[]
  criteria: string[]
  /** What nobody could find out. */
  unknown: string[]
  /** What the code was found to say otherwise. */
  refuted: string[]
  dissents: string[]
  /** Those who were asked besides are of the same model family. */
  weaker: boolean
}

/** Null where nobody looks into it: a plan was given, or the requirement is taken as it stands. */
export function intentView(intent: IntentState): IntentView | null {
  const { meaning, level, words, council, contract } = intent
  const readings = Object.entries(words).flatMap(([seat, word]) =>
    word.status === 'read'
      ? [
          {
            seat,
            agent: word.agent,
            summary: word.interpretation.reading.summary,
            ambiguity: word.interpretation.ambiguity,
          },
        ]
      : [],
  )
  if (readings.length === 0) return null
  return {
    meaning:
      meaning === null
        ? null
        : {
            summary: meaning.reading.summary,
            behaviours: meaning.reading.behaviours,
            by: meaning.by,
            because: meaning.because,
          },
    level: level?.level ?? null,
    readings,
    criteria: contract?.criteria ?? interpretationOf(intent)?.criteria ?? [],
    unknown: unknownsOf(intent).map(({ claim }) => claim),
    refuted: correctionsOf(intent).map(({ claim, evidence }) => `${claim} (${evidence})`),
    dissents: council?.dissents.map(({ seat, summary }) => `${seat}: ${summary}`) ?? [],
    weaker: council?.weaker ?? false,
  }
}
