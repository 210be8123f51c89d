import type { Finding, Severity } from '../../delivery/judging/finding.ts'
import type { Disposal, ReviewView } from './review.ts'

const levels: Record<Severity, 'error' | 'warning' | 'note'> = {
  blocking: 'error',
  important: 'warning',
  suggestion: 'note',
  note: 'note',
}

/** The findings of a review in the format that code hosts and editors read (SARIF 2.1.0). */
export function sarifOf(view: ReviewView, version: string): object {
  const { open, deferred, rejected, verdict, base, commit } = view
  const all = [...open, ...deferred.map(({ finding }) => finding), ...rejected.map(({ finding }) => finding)]
  const rules = [...new Set(all.map(({ rule }) => rule))].map((id) => ({ id }))
  return {
    $schema: 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'Ropewalk', version, rules } },
        results: [...open.map(result), ...deferred.map(suppressed), ...rejected.map(suppressed)],
        // A run without a verdict is not one without findings.
        invocations: [{ executionSuccessful: verdict !== null }],
        properties: { verdict, base, commit, scope: scopeOf(view) },
      },
    ],
  }
}

/** In one word where there is nothing; else which of the results it is. */
const scopeOf = ({ scope: { status, why, findings } }: ReviewView): object => ({
  status,
  ...(why === '' ? {} : { why }),
  findings: findings.map(({ finding, fate }) => ({ fingerprint: finding.fingerprint, fate })),
})

const result = ({ rule, severity, message, file, line, fingerprint }: Finding): object => ({
  ruleId: rule,
  level: levels[severity],
  message: { text: message },
  ...(file === null ? {} : { locations: [locationOf(file, line)] }),
  partialFingerprints: { 'ropewalk/finding': fingerprint },
  properties: { severity },
})

/** What was deferred or rejected is told, and counts for nothing. */
const suppressed = ({ finding, because }: Disposal): object => ({
  ...result(finding),
  suppressions: [{ kind: 'external', justification: because }],
})

const locationOf = (file: string, line: number | null): object => ({
  physicalLocation: {
    artifactLocation: { uri: file.split('/').map(encodeURIComponent).join('/') },
    ...(line === null ? {} : { region: { startLine: line } }),
  },
})
