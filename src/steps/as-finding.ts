import type { Finding } from '../delivery/judging/finding.ts'
import { hashOf } from '../std/hash.ts'

type Said = Pick<Finding, 'source' | 'rule' | 'message'> & Partial<Omit<Finding, 'fingerprint'>>

/** A finding that blocks and is for the coder, unless it says otherwise. `key`: what tells it from others, as a fingerprint. */
export const asFinding = ({ key, ...said }: Said & { key: readonly unknown[] }): Finding => ({
  ...{ severity: 'blocking', file: null, line: null, evidence: '', fixTarget: 'code', ...said },
  fingerprint: hashOf(key),
})
