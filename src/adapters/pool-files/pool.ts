import { randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from '../../ports/pool.ts'
import { type Claims, openClaims } from './claims.ts'
import { copyRoots } from './copy.ts'
import { type Entry, entriesOf, listingOf, parseEntry, removeEntry } from './entry.ts'
import { keyOf } from './key.ts'
import { look, productOf } from './product.ts'
import { separate } from './separate.ts'
import { bytesOf, walk } from './walk.ts'

const lookAgainMs = 200

/** `<home>/pools/<key>`: `entry.json`, and `files` with what set-up made, as it lies in a place. */
export function filePool(home: string): Pool {
  const folder = join(home, 'pools')
  const claims = openClaims(home)
  return {
    keyOf,
    take: (key, place, mark) => take(join(folder, key), place, mark),
    fill: (request) => fill({ folder, claims }, request),
    separate,
    entries: () => entriesOf(home, claims),
    remove: (name) => removeEntry(join(folder, name)),
  }
}

async function take(path: string, place: string, mark: string): Promise<'taken' | 'own' | 'none'> {
  const text = await readFile(join(path, 'entry.json'), 'utf8').catch(() => null)
  const entry = text === null ? null : parseEntry(text)
  if (entry === null) return 'none'
  if (entry.status === 'own') return 'own'
  const files = join(path, 'files')
  if ((await listingOf(files)) !== entry.listing) {
    await removeEntry(path)
    return 'none'
  }
  const whole = await copyRoots({ from: files, to: place, roots: entry.roots, mark })
  // Somebody may have freed it while we copied.
  const after = await readFile(join(path, 'entry.json'), 'utf8').catch(() => null)
  if (whole && after === text) return await used(path)
  await Promise.all(entry.roots.map((root) => rm(join(place, root), { recursive: true, force: true })))
  return 'none'
}

async function used(path: string): Promise<'taken'> {
  const now = new Date()
  await utimes(join(path, 'entry.json'), now, now).catch(() => {})
  return 'taken'
}

interface Filling<Made> {
  key: string
  place: string
  mark: string
  signal: AbortSignal
  make: () => Promise<Made>
}

async function fill<Made extends { ok: boolean }>(
  { folder, claims }: { folder: string; claims: Claims },
  request: Filling<Made>,
): Promise<Made | null> {
  const { key, place, mark, signal, make } = request
  const path = join(folder, key)
  for (;;) {
    const found = await take(path, place, mark)
    if (found === 'taken') return null
    if (found === 'own') return await make()
    if (claims.claim('pool', key, place)) break
    await sleep(lookAgainMs, undefined, { signal })
  }
  try {
    // Whoever had the claim before us may just have finished.
    if ((await take(path, place, mark)) === 'taken') return null
    return await makeAndKeep(path, request)
  } finally {
    claims.release('pool', key)
  }
}

async function makeAndKeep<Made extends { ok: boolean }>(
  path: string,
  { place, mark, make, key }: Filling<Made>,
): Promise<Made> {
  await dropAbandoned(path)
  const before = await look(place)
  const made = await make()
  if (!made.ok) return made
  const product = await productOf(place, before)
  const making = `${path}.making-${randomBytes(6).toString('hex')}`
  await mkdir(join(making, 'files'), { recursive: true, mode: 0o700 })
  const entry = 'unmovable' in product ? null : await keep(product.roots, { place, making, mark })
  const why = 'unmovable' in product ? product.unmovable : `${key} could not be copied`
  await writeFile(join(making, 'entry.json'), JSON.stringify(entry ?? { status: 'own', why }), { mode: 0o600 })
  await removeEntry(path)
  await rename(making, path)
  return made
}

async function keep(
  roots: string[],
  { place, making, mark }: { place: string; making: string; mark: string },
): Promise<Entry | null> {
  const files = join(making, 'files')
  for (const root of roots) await mkdir(join(files, dirname(root)), { recursive: true })
  if (!(await copyRoots({ from: place, to: files, roots, mark }))) return null
  return { status: 'shared', roots, listing: await listingOf(files), bytes: bytesOf(await walk(files)) }
}

/** Only while nobody else fills the same: what is there was left by a kill. */
async function dropAbandoned(path: string): Promise<void> {
  const folder = dirname(path)
  const names = await readdir(folder).catch(() => [])
  const abandoned = names.map((name) => join(folder, name)).filter((one) => one.startsWith(`${path}.`))
  await Promise.all(abandoned.map((one) => rm(one, { recursive: true, force: true })))
}
