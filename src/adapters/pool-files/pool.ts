import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { lstat, mkdir, readdir, readFile, rename, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { diskFull } from '../../ports/errors.ts'
import type { Making, Pool, Take } from '../../ports/pool.ts'
import { isDiskFull, removeTree } from '../../std/files.ts'
import { type Claims, openClaims } from './claims.ts'
import { bytesOf, copyRoots, separate, walk } from './copy.ts'
import { type EntryRecord, entriesOf, listingOf, openSpares, parseEntry, removeEntry, type Spares } from './entry.ts'
import { keyOf, look, type Product, productOf } from './set-up.ts'

const lookAgainMs = 200

/**
 * `<home>/pools/<key>`: `entry.json`, and `files` with what set-up made, as it lies in a place. A test may end the
 * process at each named moment.
 */
export function filePool(home: string, crashPoint: (name: string) => void = () => {}): Pool {
  const folder = join(home, 'pools')
  const claims = openClaims(home)
  const spares = openSpares(claims, crashPoint)
  return {
    keyOf,
    take: (request) => take({ folder, spares }, request),
    fill: (request) => fill({ folder, claims, spares, crashPoint }, request),
    separate,
    entries: () => entriesOf(home, claims),
    remove: (name) => removeEntry(join(folder, name)),
    close: () => spares.close(),
  }
}

async function take(
  { folder, spares }: { folder: string; spares: Spares },
  { key, place, lived, mark, ahead, enlarge }: Take,
): Promise<'taken' | 'own' | 'none'> {
  const path = join(folder, key)
  const entry = await entryIn(path)
  if (entry === null) return 'none'
  if (entry.status === 'own' || (lived && entry.bound)) return 'own'
  const { roots } = entry
  // What the commit itself has there is not replaced: checks would judge another tree.
  if (await isAnyThere(place, roots)) return 'own'
  await enlarge(entry.bytes)
  if (!(await spares.take(path, { place, roots })) && !(await takeCopy(path, entry, { place, mark }))) return 'none'
  await used(path)
  if (ahead) spares.make(path, { roots, mark })
  return 'taken'
}

async function entryIn(path: string): Promise<EntryRecord | null> {
  const text = await readFile(join(path, 'entry.json'), 'utf8').catch(() => null)
  return text === null ? null : parseEntry(text)
}

async function isAnyThere(place: string, roots: string[]): Promise<boolean> {
  const found = await Promise.allSettled(roots.map((root) => lstat(join(place, root))))
  return found.some(({ status }) => status === 'fulfilled')
}

async function takeCopy(
  path: string,
  { roots, listing }: Extract<EntryRecord, { status: 'shared' }>,
  { place, mark }: { place: string; mark: string },
): Promise<boolean> {
  const files = join(path, 'files')
  if ((await listingOf(files)) !== listing) {
    await removeEntry(path)
    return false
  }
  let whole = false
  try {
    // Somebody may free it while we copy.
    whole =
      (await copyRoots({ from: files, to: place, roots, mark, signal: null })) && existsSync(join(path, 'entry.json'))
  } finally {
    if (!whole) await Promise.all(roots.map((root) => removeTree(join(place, root))))
  }
  return whole
}

async function used(path: string): Promise<void> {
  const now = new Date()
  await utimes(join(path, 'entry.json'), now, now).catch(() => {})
}

type Filling<Made> = Take & Making<Made>

interface Store {
  folder: string
  claims: Claims
  spares: Spares
  crashPoint: (name: string) => void
}

async function fill<Made extends { ok: boolean }>(
  { folder, claims, spares, crashPoint }: Store,
  request: Filling<Made>,
): Promise<Made | null> {
  const { key, place, signal, make } = request
  // Whoever has it may be gone without anybody knowing, where systems do not tell one process from another.
  const deadline = Date.now() + request.longestMs
  for (;;) {
    const found = await take({ folder, spares }, request)
    if (found === 'taken') return null
    if (found === 'own') return await make()
    if (claims.claim('pool', key, place)) break
    if (Date.now() >= deadline) return await make()
    await sleep(lookAgainMs, undefined, { signal })
  }
  try {
    // Whoever had the claim before us may just have finished.
    if ((await take({ folder, spares }, request)) === 'taken') return null
    return await makeAndKeep(join(folder, key), request, crashPoint)
  } finally {
    claims.release('pool', key)
  }
}

async function makeAndKeep<Made extends { ok: boolean }>(
  path: string,
  request: Filling<Made>,
  crashPoint: Store['crashPoint'],
): Promise<Made> {
  const { place, make, keeping, seenAt } = request
  await dropAbandoned(path)
  const before = await look(place)
  const made = await make()
  if (!made.ok) return made
  const product = await productOf(place, before, seenAt)
  crashPoint('pool:made')
  const bytes = 'unmovable' in product ? 0 : product.bytes
  await keeping(bytes, () => keep(path, { ...request, product, crashPoint }))
  crashPoint('pool:kept')
  return made
}

interface Keeping extends Take {
  product: Product
  crashPoint: Store['crashPoint']
}

/** What could not be made whole leaves nothing. */
async function keep(path: string, { place, mark, key, product, crashPoint }: Keeping): Promise<void> {
  const making = `${path}.making-${randomBytes(6).toString('hex')}`
  try {
    await mkdir(join(making, 'files'), { recursive: true, mode: 0o700 })
    const entry = 'unmovable' in product ? null : await copyOf(product, { place, making, mark })
    crashPoint('pool:copied')
    const why = 'unmovable' in product ? product.unmovable : `${key} could not be copied`
    await writeFile(join(making, 'entry.json'), JSON.stringify(entry ?? { status: 'own', why }), { mode: 0o600 })
    crashPoint('pool:described')
    await removeEntry(path)
    await rename(making, path)
  } catch (error) {
    await removeTree(making)
    throw isDiskFull(error) ? diskFull(error) : error
  }
}

async function copyOf(
  { roots, bound }: Extract<Product, { bound: boolean }>,
  { place, making, mark }: { place: string; making: string; mark: string },
): Promise<EntryRecord | null> {
  const files = join(making, 'files')
  for (const root of roots) await mkdir(join(files, dirname(root)), { recursive: true })
  if (!(await copyRoots({ from: place, to: files, roots, mark, signal: null }))) return null
  return { status: 'shared', roots, bound, listing: await listingOf(files), bytes: bytesOf(await walk(files)) }
}

/** Only while nobody else fills the same: what is there was left by a kill. */
async function dropAbandoned(path: string): Promise<void> {
  const folder = dirname(path)
  const names = await readdir(folder).catch(() => [])
  const abandoned = names.map((name) => join(folder, name)).filter((one) => one.startsWith(`${path}.`))
  await Promise.all(abandoned.map(removeTree))
}
