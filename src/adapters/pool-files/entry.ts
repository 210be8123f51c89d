import { createHash, randomBytes } from 'node:crypto'
import { readdir, readFile, rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { PoolEntry } from '../../ports/pool.ts'
import { removeTree } from '../../std/remove-tree.ts'
import type { Claims } from './claims.ts'
import { bytesOf, fileLine, walk } from './walk.ts'

export type EntryRecord =
  /** What set-up makes for this key works only where it was made. */
  | { status: 'own'; why: string }
  | { status: 'shared'; roots: string[]; bound?: boolean; listing: string; bytes: number }

export function parseEntry(text: string): EntryRecord | null {
  try {
    const entry = JSON.parse(text) as
      | Partial<Extract<EntryRecord, { status: 'shared' }>>
      | { status: 'own'; why: string }
    if (entry.status === 'own') return entry
    const whole = entry.status === 'shared' && Array.isArray(entry.roots) && typeof entry.listing === 'string'
    return whole ? (entry as EntryRecord) : null
  } catch {
    return null
  }
}

/** Of names, rights, sizes and times: what was changed, cut off or left out since shows. */
export async function listingOf(files: string): Promise<string> {
  const digest = createHash('sha256')
  for (const one of await walk(files).catch(() => [])) digest.update(`${fileLine(files, one)}\n`)
  return digest.digest('hex')
}

/** Out of sight first, so that nobody begins to copy half of it. */
export async function removeEntry(path: string): Promise<void> {
  const leaving = `${path}.leaving-${randomBytes(6).toString('hex')}`
  const moved = await rename(path, leaving).then(
    () => true,
    () => false,
  )
  if (moved) await removeTree(leaving)
}

/** What a kill has left within an entry is one of its own. */
export async function entriesOf(home: string, claims: Claims): Promise<PoolEntry[]> {
  const folder = join(home, 'pools')
  const names = await readdir(folder).catch(() => [])
  const filled = new Set(claims.of('pool').flatMap(({ name, alive }) => (alive ? [name] : [])))
  const found = await Promise.all(
    names.map(async (name) => {
      const path = join(folder, name)
      const left = await abandonedIn(path, claims)
      const facts = await factsOf(path, left.length).catch(() => null)
      const filling = filled.has(name.split('.')[0] ?? '')
      const own = facts === null ? [] : [{ name, path, filling, ...facts }]
      return [...own, ...(await Promise.all(left.map((inner) => leftover(folder, join(name, inner)))))]
    }),
  )
  return found.flat()
}

/** What is being copied or taken within an entry by somebody who is gone. */
export async function abandonedIn(entry: string, claims: Claims): Promise<string[]> {
  const live = new Set(claims.of('copying').flatMap(({ name, alive }) => (alive ? [name] : [])))
  const names = await readdir(entry).catch(() => [])
  return names.filter((name) => /^(?:making|taking)-/.test(name) && !live.has(name))
}

async function leftover(folder: string, name: string): Promise<PoolEntry> {
  const path = join(folder, name)
  const seen = await walk(path).catch(() => [])
  const usedAt = (await stat(path).catch(() => ({ mtimeMs: 0 }))).mtimeMs
  return { name, path, bytes: bytesOf(seen), usedAt, filling: false, own: null }
}

async function factsOf(path: string, left: number): Promise<{ bytes: number; usedAt: number; own: string | null }> {
  const file = join(path, 'entry.json')
  const [text, at] = await Promise.all([readFile(file, 'utf8'), stat(file)]).catch(() => [null, null] as const)
  const entry = text === null ? null : parseEntry(text)
  const copies =
    (await readdir(path)).filter((name) => /^(?:files|(?:spare|making|taking)-.*)$/.test(name)).length - left
  const bytes = entry?.status === 'shared' ? entry.bytes * copies : bytesOf(await walk(path))
  const own = entry?.status === 'own' ? entry.why : null
  return { bytes, usedAt: (at ?? (await stat(path))).mtimeMs, own }
}
