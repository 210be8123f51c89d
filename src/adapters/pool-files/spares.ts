import { randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { removeTree } from '../../std/remove-tree.ts'
import type { Claims } from './claims.ts'
import { copyRoots, isFolder } from './copy.ts'
import { abandonedIn, listingOf } from './entry.ts'

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
