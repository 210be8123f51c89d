import { mkdir, rm } from 'node:fs/promises'
import { policyOf } from '../../delivery/state.ts'
import { hashOf } from '../../std/hash.ts'
import type { Bench } from './run-check.ts'

/** What the files say that places are lent of the user's checkout, as a digest only: they may hold secrets. */
export async function lentDigest({ world, performance, repository }: Bench): Promise<string | null> {
  const { copy: patterns } = policyOf(performance.state).workspace
  if (patterns.length === 0) return null
  const place = world.places.result(performance.state.id, `${performance.step.id}-${performance.try}.lent`)
  await mkdir(place, { recursive: true, mode: 0o700 })
  try {
    const lent = await repository.lendFiles({ patterns, place })
    for (const { text } of lent) world.learnSecrets(text)
    return hashOf(lent.map(({ path, text }) => [path, text]).sort())
  } finally {
    await rm(place, { recursive: true, force: true })
  }
}
