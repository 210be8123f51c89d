import type { Finding } from '../../delivery/judging/finding.ts'

/** Names that are easier to write than fingerprints. */
export const named = (findings: Finding[]): { name: string; finding: Finding }[] =>
  findings.map((finding, index) => ({ name: `F${index + 1}`, finding }))
