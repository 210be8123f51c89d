import type { TreeId } from '../../../delivery/ids.ts'
import { type Clone, inClone } from '../clone.ts'
import { bulkTimeoutMs, itemsOf } from '../run.ts'
import { type Entry, entriesOf, type Trees } from './sides.ts'

interface Clash {
  path: string
  entries: Entry[]
  note: string
}

/** Two added names that many machines take for one: only case or the way of writing an accent differs. */
export async function nameClashes(clone: Clone, trees: Trees): Promise<Clash[]> {
  const [ours, theirs] = await Promise.all([added(clone, trees, trees.ours), added(clone, trees, trees.theirs)])
  const known = new Map(ours.map((path) => [folded(path), path]))
  const same = new Set(ours)
  const clashing = theirs.filter((path) => known.has(folded(path)) && !same.has(path))
  if (clashing.length === 0) return []
  const found = await entriesOf(clone, trees.theirs, { paths: clashing, stage: 3 })
  return [...found].map(([path, entry]) => ({
    path,
    entries: [entry],
    note: `${JSON.stringify(known.get(folded(path)))} is on the line: the names differ only in case or in the form of a letter`,
  }))
}

async function added(clone: Clone, { base }: Trees, tree: TreeId): Promise<string[]> {
  const args = ['diff-tree', '-r', '-z', '--name-only', '--no-renames', '--diff-filter=A', base, tree]
  return itemsOf(await inClone(clone, args, { timeoutMs: bulkTimeoutMs }))
}

const folded = (path: string): string => path.normalize('NFC').toLowerCase()
