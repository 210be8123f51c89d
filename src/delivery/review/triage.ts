import type { Finding, Severity } from '../judging/finding.ts'
import type { Opinion, SortedFindings } from './review.ts'

/** What is wrong with a triager's answer, by name; and the answer, each finding once, where nothing is. */
export function checkedTriage(
  findings: Finding[],
  sorted: SortedFindings[],
): { problems: string[]; sorted: SortedFindings[] } {
  const once = distinct(sorted)
  const known = new Set(findings.map(({ fingerprint }) => fingerprint))
  const prints = once.map(({ fingerprint }) => fingerprint)
  const twice = new Set(prints.filter((print, place) => prints.indexOf(print) !== place))
  const unreasoned = once.filter(({ because }) => because.trim() === '')
  const problems = [
    ...prints.filter((print) => !known.has(print)).map((print) => `there is no finding ${print}`),
    ...[...known].filter((print) => !prints.includes(print)).map((print) => `nothing is said about ${print}`),
    ...[...twice].map((print) => `${print} is sorted in two ways`),
    ...unreasoned.map(({ fingerprint, fate }) => `${fingerprint} is ${fate} without a reason`),
    ...sharedReasons(once),
  ]
  return { problems: problems.slice(0, mostProblems), sorted: once }
}

const mostProblems = 20

const distinct = (sorted: SortedFindings[]): SortedFindings[] => {
  const keyOf = ({ fingerprint, fate, severity }: SortedFindings) => `${fingerprint} ${fate} ${severity}`
  return [...new Map(sorted.toReversed().map((one) => [keyOf(one), one])).values()].toReversed()
}

/** A reason that fits several claims disposes of none. */
function sharedReasons(sorted: SortedFindings[]): string[] {
  const left = sorted.filter(({ fate, because }) => fate === 'rejected' && because.trim() !== '')
  const reasons = left.map(({ because }) => plain(because))
  return left
    .filter((_, place) => reasons.indexOf(reasons[place]!) !== place)
    .map(({ fingerprint }) => `${fingerprint} is rejected for the very reason of another`)
}

const plain = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

export interface Standard {
  /** Which severities send the work back. */
  blocks: Severity[]
  /** Fingerprints at places that the change did not touch. */
  outside: string[]
}

/**
 * Fingerprints of which a triager disposes too easily: what a reviewer calls blocking is rejected, talked down, or
 * put off although it is about the change; or most of many are rejected.
 */
export function overRejected(findings: Finding[], sorted: SortedFindings[], standard: Standard): string[] {
  const rejected = sorted.filter(({ fate }) => fate === 'rejected').map(({ fingerprint }) => fingerprint)
  const most = findings.length >= 5 && rejected.length > 0.6 * findings.length ? rejected : []
  const grave = findings.filter((finding) => isLetGo(finding, sorted, standard)).map(({ fingerprint }) => fingerprint)
  return findings.map(({ fingerprint }) => fingerprint).filter((one) => grave.includes(one) || most.includes(one))
}

function isLetGo({ severity, fingerprint }: Finding, sorted: SortedFindings[], { blocks, outside }: Standard): boolean {
  const word = sorted.find((one) => one.fingerprint === fingerprint)
  if (word === undefined || severity !== 'blocking' || !blocks.includes(severity)) return false
  if (word.fate === 'deferred') return !outside.includes(fingerprint)
  return word.fate === 'rejected' || !blocks.includes(word.severity)
}

/** These count, whatever was made of them, and as gravely as the reviewer said. */
export const acceptedAfterAll = (
  findings: Finding[],
  sorted: SortedFindings[],
  { prints, because }: { prints: string[]; because: string },
): SortedFindings[] =>
  sorted.map((one) => {
    const severity = findings.find(({ fingerprint }) => fingerprint === one.fingerprint)?.severity ?? one.severity
    return prints.includes(one.fingerprint) ? { ...one, fate: 'accepted', severity, because } : one
  })

/** Approved with something that blocks, or refused without: what was accepted decides. */
export const opinionOf = (sorted: SortedFindings[], blocks: Severity[]): Opinion =>
  sorted.some(({ fate, severity }) => fate === 'accepted' && blocks.includes(severity)) ? 'needs-work' : 'approve'

/** Where nobody sorts: what has a quotation and is about the change is taken as true. */
export const sortedByNobody = (findings: Finding[], outside: string[]): SortedFindings[] =>
  findings.map(({ fingerprint, severity, evidence }) => {
    if (outside.includes(fingerprint))
      return { fingerprint, severity, fate: 'deferred', because: 'it is not about the change' }
    if (evidence.trim() === '') return { fingerprint, severity, fate: 'deferred', because: 'it quotes nothing' }
    return { fingerprint, severity, fate: 'accepted', because: 'nobody is there who sorts findings' }
  })
