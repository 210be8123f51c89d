import type { TreeId } from '../../../delivery/ids.ts'
import { folderMode, type Objects, type TreeEntry } from './reader.ts'

/** A file, link or submodule that two trees do not have alike; null where one of them does not have it. */
export interface TreeChange {
  path: string
  before: TreeEntry | null
  after: TreeEntry | null
}

/** Between two trees, in the order of their paths; no renames are looked for. */
export async function changesBetween(objects: Objects, before: TreeId, after: TreeId): Promise<TreeChange[]> {
  const found = before === after ? [] : await below(objects, { before, after, folder: '' })
  return found.sort((one, other) => Buffer.compare(Buffer.from(one.path), Buffer.from(other.path)))
}

export const isAdded = ({ before }: TreeChange): boolean => before === null
export const isRemoved = ({ after }: TreeChange): boolean => after === null

interface Pair {
  before: TreeId | null
  after: TreeId | null
  folder: string
}

async function below(objects: Objects, { before, after, folder }: Pair): Promise<TreeChange[]> {
  const read = async (tree: TreeId | null) => (tree === null ? new Map<string, TreeEntry>() : await objects.tree(tree))
  const [old, now] = await Promise.all([read(before), read(after)])
  const parts = [...new Set([...old.keys(), ...now.keys()])].map(async (name): Promise<TreeChange[]> => {
    const [one = null, other = null] = [old.get(name), now.get(name)]
    if (one?.object === other?.object && one?.mode === other?.mode) return []
    const path = `${folder}${name}`
    const [oldTree, newTree] = [treeIn(one), treeIn(other)]
    const files = { path, before: oldTree === null ? one : null, after: newTree === null ? other : null }
    return [
      ...(files.before === null && files.after === null ? [] : [files]),
      ...(oldTree === null && newTree === null
        ? []
        : await below(objects, { before: oldTree, after: newTree, folder: `${path}/` })),
    ]
  })
  return (await Promise.all(parts)).flat()
}

const treeIn = (entry: TreeEntry | null): TreeId | null => (entry?.mode === folderMode ? entry.object : null)
