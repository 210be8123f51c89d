import { correctionsOf, type IntentState, interpretationOf, unknownsOf } from '../../delivery/intent/state.ts'

/**
 * What the requirement is taken to mean, and how that came about. Null where nobody looks into it: a plan was given, or
 * the requirement is taken as it stands.
 */
export function intentView(intent: IntentState) {
  const { meaning, level, words, council, contract } = intent
  const readings = Object.entries(words).flatMap(([seat, word]) => {
    if (word.status !== 'read') return []
    const { reading, ambiguity } = word.interpretation
    return [{ seat, agent: word.agent, summary: reading.summary, ambiguity }]
  })
  if (readings.length === 0) return null
  return {
    // Null while it is being settled.
    meaning: meaning && {
      ...{ summary: meaning.reading.summary, behaviours: meaning.reading.behaviours },
      ...{ by: meaning.by, because: meaning.because },
    },
    level: level?.level ?? null,
    readings,
    criteria: contract?.criteria ?? interpretationOf(intent)?.criteria ?? [],
    // What nobody could find out.
    unknown: unknownsOf(intent).map(({ claim }) => claim),
    // What the code was found to say otherwise.
    refuted: correctionsOf(intent).map(({ claim, evidence }) => `${claim} (${evidence})`),
    dissents: council?.dissents.map(({ seat, summary }) => `${seat}: ${summary}`) ?? [],
    // Those who were asked besides are of the same model family.
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
