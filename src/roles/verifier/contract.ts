/** What a verifier says about a commit. */
export type Review = { verdict: 'passed' } | { verdict: 'findings'; findings: Claim[] }

/** Something wrong, with a quotation that shows where. */
export interface Claim {
  file: string
  line: number | null
  message: string
  evidence: string
}

const mostClaims = 20

/** Null for everything that is no verdict in its form. A verdict that contradicts itself is none. */
export function readReview(value: unknown): Review | null {
  const { verdict, findings = [] } = record(value)
  if (!Array.isArray(findings)) return null
  const claims = findings.slice(0, mostClaims).map(readClaim)
  if (verdict === 'passed') return findings.length === 0 ? { verdict } : null
  if (verdict !== 'findings' || claims.length === 0 || claims.includes(null)) return null
  return { verdict, findings: claims.filter((claim) => claim !== null) }
}

function readClaim(value: unknown): Claim | null {
  const { file, line, message, evidence } = record(value)
  if (typeof file !== 'string' || typeof message !== 'string' || message.trim() === '') return null
  return {
    file: file.replace(/^\.\//, ''),
    line: Number.isSafeInteger(line) && Number(line) > 0 ? Number(line) : null,
    message: message.trim(),
    evidence: typeof evidence === 'string' ? evidence : '',
  }
}

const record = (value: unknown): Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as Record<string, unknown>) : {}
