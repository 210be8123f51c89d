// What compilers remember between runs. What an agent wrote could leave something there for a later judge; so only the
// base, before any work of this delivery, fills it, and each other run has a copy of its own.
import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { CommitId } from '../../../delivery/ids.ts'
import type { CheckPolicy } from '../../../delivery/policy.ts'
import { policyOf } from '../../../delivery/state.ts'
import type { Performance } from '../../../ports/performer.ts'
import type { Elsewhere } from '../../../ports/shell.ts'
import { hashOf } from '../../../std/hash.ts'
import { isConfined } from '../../place/confine.ts'
import { requestOf } from '../../place/request.ts'
import type { StepWorld } from '../../world.ts'
import type { Overlay } from '../overlay.ts'

interface Asking {
  world: StepWorld
  performance: Performance
  check: CheckPolicy
  /** Only a part of the check runs. */
  lines?: unknown
}

/** Runs what is given with it. */
export async function withCompiled<T>(
  { world, performance, check, lines }: Asking,
  { name, commit, overlay }: { name: string; commit: CommitId; overlay: Overlay[] },
  use: (also: Elsewhere[]) => Promise<T>,
): Promise<T> {
  const { state, step, try: number } = performance
  const { compiled } = world.tools
  if (compiled === null || check.needs.includes('home') || !(await isConfined(world, performance))) return await use([])
  const { base } = requestOf(state)
  const folder = join(world.places.cleanFolder(state.id), `compiled-${hashOf([check.name, policyOf(state).setup])}`)
  const kept = join(folder, base)
  const own = world.places.clean(state.id, `compiled-${step.id}-${number}${name}`)
  const isThere = await compiled.copy(kept, own)
  const fills = !isThere && commit === base && overlay.length === 0 && lines === undefined
  if (!isThere && !fills) return await use([])
  try {
    if (fills) await mkdir(own, { recursive: true, mode: 0o700 })
    const used = await use([{ from: own, at: compiled.at, write: true }])
    if (fills) await onlyOf(folder, base)
    if (fills) await compiled.keep(own, kept)
    return used
  } finally {
    await rm(own, { recursive: true, force: true }).catch(() => {})
  }
}

/** A rehearsal has many bases, one after the other. */
async function onlyOf(folder: string, base: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const others = (await readdir(folder)).filter((name) => name !== base)
  await Promise.all(others.map((name) => rm(join(folder, name), { recursive: true, force: true })))
}
