import { createHash } from 'node:crypto'
import { recordProblems } from '../../proof/statement/recorded.ts'
import type { Statement } from '../../proof/statement/statement.ts'
import type { Again, VerifyWorld } from './world.ts'

/** The statement against the log of this machine, its hash chain, and the outputs that are kept. */
export async function againstLog(
  { log, blobs }: Pick<VerifyWorld, 'log' | 'blobs'>,
  statement: Statement,
): Promise<Again & { log: 'agrees' | 'absent' }> {
  const { delivery } = statement.predicate.ropewalk_proof
  const rows = log === null ? [] : await log.deliveries(null)
  if (log === null || !rows.some((row) => row.delivery === delivery))
    return { problems: [], remarks: [], log: 'absent' }
  const chain = await log.verify(delivery)
  const broken =
    chain.status === 'intact' ? [] : [`the log of ${delivery} is broken at version ${chain.version}: ${chain.problem}`]
  const record = chain.status === 'intact' ? recordProblems(statement, await log.read(delivery, 0)) : []
  const outputs = await outputWords({ blobs }, statement)
  return { problems: [...broken, ...record, ...outputs.problems], remarks: outputs.remarks, log: 'agrees' }
}

async function outputWords({ blobs }: Pick<VerifyWorld, 'blobs'>, { predicate }: Statement): Promise<Again> {
  const told: Again = { problems: [], remarks: [] }
  for (const { name, annotations } of predicate.configuration) {
    const output = await blobs.get(annotations.outputDigest)
    if (output === null) told.remarks.push(`what ${name} printed is not kept any more`)
    else if (createHash('sha256').update(output).digest('hex') !== annotations.outputDigest)
      told.problems.push(`what ${name} printed was changed since`)
  }
  return told
}
