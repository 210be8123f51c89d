import { isByExitCode } from '../../delivery/judging/finding.ts'
import type { VerifiedProof } from '../../ports/proofs/verifier.ts'
import type { Statement } from '../../proof/statement/statement.ts'

/** What a statement says, for people. */
export function verifiedProof(
  { subject, predicate }: Statement,
  { signer, log }: Pick<VerifiedProof, 'signer' | 'log'>,
): VerifiedProof {
  const { delivery, story, provenBy, parts = [], reviewers } = predicate.ropewalk_proof
  return {
    delivery,
    story,
    provenBy: provenBy.commit === subject[0].digest.gitCommit ? null : provenBy.commit,
    whole: subject[0].digest.gitCommit,
    parts,
    checks: predicate.configuration.map(({ name, annotations }) => ({
      name,
      command: annotations.command,
      counts:
        annotations.counts === null ? null : { total: annotations.counts.total, passed: annotations.counts.passed },
      byExitCode: isByExitCode(annotations),
      durationMs: annotations.durationMs,
    })),
    reviewers,
    signer,
    log,
  }
}
