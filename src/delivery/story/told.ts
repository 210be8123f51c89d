import { hashOf } from '../../std/hash.ts'
import type { Finding } from '../judging/finding.ts'

/** A human's words to the coder. */
export function told(message: string): Finding {
  return {
    source: 'human',
    rule: 'told',
    severity: 'blocking',
    file: null,
    line: null,
    message,
    evidence: '',
    fingerprint: hashOf(['human', message]),
    fixTarget: 'code',
  }
}
