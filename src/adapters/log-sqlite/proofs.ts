import type { Blobs } from '../../ports/blobs.ts'
import type { StoredProof } from '../../ports/event-log.ts'
import { type ProofKey, storedProof } from '../../ports/log/facts.ts'
import { canonical } from '../../std/hash.ts'
import type { Connection } from './connection.ts'
import { readIntact } from './read.ts'

/** A row only says where to look: whoever can write to the file could have written it. The chain has to say the same. */
export async function findProof(connection: Connection, blobs: Blobs, key: ProofKey): Promise<StoredProof | null> {
  const sql = `SELECT delivery, version, durationMs, outputDigest, counts FROM proofs
    WHERE repository = ? AND tree = ? AND command = ? AND environmentKey = ?`
  type Row = [string, number, number, string, string | null]
  const row = connection.get<Row>(sql, key.repository, key.tree, key.command, key.environmentKey)
  if (row === undefined) return null
  const [delivery, version, durationMs, outputDigest, counts] = row
  const told = { durationMs, outputDigest, counts: counts === null ? null : parseJson(counts) }
  const since = (await readIntact(connection, blobs, { delivery, after: version - 1 })) ?? []
  const proof = storedProof(since, key)
  return proof !== null && canonical(told) === canonical(toldBy(proof)) ? proof : null
}

const toldBy = ({ durationMs, outputDigest, counts }: StoredProof) => ({ durationMs, outputDigest, counts })

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
