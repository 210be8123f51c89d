import type { Proof } from '../../delivery/judging/finding.ts'
import type { EventLog, StoredProof } from '../../ports/event-log.ts'

/** Proofs by tree that no log has to know: they are of no delivery, and gone with the rehearsal. */
export interface RememberedProofs {
  keep(proof: Proof | null): void
  findProof: EventLog['findProof']
}

export function rememberedProofs(): RememberedProofs {
  const known = new Map<string, StoredProof>()
  const keyOf = ({ tree, command, environmentKey }: Pick<Proof, 'tree' | 'command' | 'environmentKey'>): string =>
    JSON.stringify([tree, command, environmentKey])
  return {
    keep(proof) {
      if (proof === null) return
      const { durationMs, outputDigest, counts, byExitCode } = proof
      const told = { durationMs, outputDigest, counts, ...(byExitCode && { byExitCode }) }
      known.set(keyOf(proof), { delivery: 'rehearse', version: 0, ...told })
    },
    findProof: async (asked) => known.get(keyOf(asked)) ?? null,
  }
}
