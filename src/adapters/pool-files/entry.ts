import { createHash, randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, rename, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { PoolEntry } from '../../ports/pool.ts'
import { removeTree } from '../../std/files.ts'
import { objectOf, parseJson } from '../../std/json.ts'
import type { Claims } from './claims.ts'
import { bytesOf, copyRoots, fileLine, isFolder, walk } from './copy.ts'

/** What set-up makes for this key works only where it was made. */
type OwnRecord = { status: 'own'; why: string }

export type EntryRecord =
  | OwnRecord
  | { status: 'shared'; roots: string[]; bound?: boolean; listing: string; bytes: number }

export function parseEntry(text: string): EntryRecord | null {
  const entry = objectOf(parseJson(text)) as Partial<Extract<EntryRecord, { status: 'shared' }>> | OwnRecord
  if (entry.status === 'own') return entry
  const whole = entry.status === 'shared' && Array.isArray(entry.roots) && typeof entry.listing === 'string'
  return whole ? (entry as EntryRecord) : null
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
  if (await moved(path, leaving)) await removeTree(leaving)
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
async function abandonedIn(entry: string, claims: Claims): Promise<string[]> {
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

/** A copy made ahead, in an entry's folder: whoever takes it moves it to its place, which takes no time. */
export interface Spares {
  take(entry: string, to: { place: string; roots: string[] }): Promise<boolean>
  /** Makes one while nobody waits, unless there is one. */
  make(entry: string, how: { roots: string[]; mark: string }): void
  /** Ends what is being made. */
  close(): Promise<void>
}

export function openSpares(claims: Claims, crashPoint: (name: string) => void): Spares {
  const making = new Map<string, Promise<void>>()
  const ending = new AbortController()
  return {
    async take(entry, to) {
      // One that is nearly there is there sooner than another.
      await making.get(entry)
      for (const name of await namesIn(entry, 'spare-'))
        if (await taken(join(entry, name), to, { claims, crashPoint })) return true
      return false
    },
    make(entry, { roots, mark }) {
      if (making.has(entry) || ending.signal.aborted) return
      const made = makeOne(claims, { entry, roots, mark, signal: ending.signal, crashPoint })
      // It is only kept to be fast: without it the next one copies.
      const over = made.catch(() => {}).finally(() => making.delete(entry))
      making.set(entry, over)
    },
    async close() {
      ending.abort()
      await Promise.all(making.values())
    },
  }
}

/** Whoever renames it first has it. */
async function taken(
  spare: string,
  { place, roots }: { place: string; roots: string[] },
  { claims, crashPoint }: { claims: Claims; crashPoint: (name: string) => void },
): Promise<boolean> {
  const name = `taking-${randomBytes(6).toString('hex')}`
  const mine = join(dirname(spare), name)
  claims.take('copying', name, '')
  try {
    if (!(await moved(spare, mine))) return false
    crashPoint('pool:taking')
    const files = join(mine, 'files')
    const listing = await readFile(join(mine, 'listing'), 'utf8').catch(() => null)
    const whole = listing !== null && listing === (await listingOf(files))
    const put = whole && (await moveRoots(files, place, roots))
    crashPoint('pool:taken')
    return put
  } finally {
    await removeTree(mine)
    claims.release('copying', name)
  }
}

async function moveRoots(files: string, place: string, roots: string[]): Promise<boolean> {
  for (const root of roots) {
    if (!(await isFolder(place, dirname(root)))) return false
    await removeTree(join(place, root))
    if (!(await moved(join(files, root), join(place, root)))) return false
  }
  return true
}

const moved = (from: string, to: string): Promise<boolean> =>
  rename(from, to).then(
    () => true,
    () => false,
  )

interface Making {
  entry: string
  roots: string[]
  mark: string
  signal: AbortSignal
  crashPoint: (name: string) => void
}

async function makeOne(claims: Claims, { entry, roots, mark, signal, crashPoint }: Making): Promise<void> {
  const key = basename(entry)
  if ((await namesIn(entry, 'spare-')).length > 0 || !claims.claim('spare', key, '')) return
  const name = `making-${randomBytes(6).toString('hex')}`
  const making = join(entry, name)
  claims.take('copying', name, '')
  try {
    for (const name of await abandonedIn(entry, claims)) await removeTree(join(entry, name))
    const files = join(making, 'files')
    for (const root of roots) await mkdir(join(files, dirname(root)), { recursive: true })
    const whole = await copyRoots({ from: join(entry, 'files'), to: files, roots, mark, signal })
    crashPoint('pool:spare-copied')
    if (!whole || signal.aborted) return
    await writeFile(join(making, 'listing'), await listingOf(files))
    await rename(making, join(entry, `spare-${randomBytes(6).toString('hex')}`))
  } finally {
    await removeTree(making)
    claims.release('copying', name)
    claims.release('spare', key)
  }
}

const namesIn = async (entry: string, start: string): Promise<string[]> =>
  (await readdir(entry).catch(() => [])).filter((name) => name.startsWith(start))
