import type { IntentState } from '../../delivery/intent/state.ts'

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
