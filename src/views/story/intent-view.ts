import { correctionsOf, type IntentState, interpretationOf, unknownsOf } from '../../delivery/intent/state.ts'

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

/** A source outside of the files that was wanted, and what became of it. */
export interface SourceView {
  source: string
  /** Of what was read, in the blob store; null: it could not be read. */
  digest: string | null
  /** What it is, or why it could not be read. */
  about: string
}

/** What the requirement points to, as it was read once, and all that could not be. */
export function sourcesView({ context }: IntentState): SourceView[] {
  const read = (context?.references ?? []).map(({ source, digest, type, bytes, whole }) => {
    const kind = type || 'of no known kind'
    return { source, digest, about: `${kind}, ${whole ? `${bytes} bytes` : `its first ${bytes} bytes`}` }
  })
  const lost = (context?.unreachable ?? []).map(({ source, why }) => ({ source, digest: null, about: why }))
  return [...read, ...lost]
}

/** As `read: https://a.example (text/html, 900 bytes)`. */
export const sourceText = ({ source, digest, about }: SourceView): string =>
  `${digest === null ? 'could not be read' : 'read'}: ${source} (${about})`
