import type { Finding } from '../../delivery/judging/finding.ts'
import { hashOf } from '../../std/hash.ts'

/** A finding of the inspection; `what` tells findings of one rule in one file apart. */
export function objection(found: {
  rule: string
  file: string | null
  line?: number
  what?: string
  message: string
  evidence?: string
  severity?: Finding['severity']
  fixTarget?: Finding['fixTarget']
}): Finding {
  return {
    source: 'inspection',
    rule: found.rule,
    severity: found.severity ?? 'blocking',
    file: found.file,
    line: found.line ?? null,
    message: found.message,
    evidence: (found.evidence ?? '').slice(0, 4_000),
    fingerprint: hashOf(['inspection', found.rule, found.file, found.what ?? '']),
    fixTarget: found.fixTarget ?? 'code',
  }
}
