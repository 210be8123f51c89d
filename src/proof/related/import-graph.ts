import { folderOf } from '../files/change.ts'
import { goReads } from './imports/go.ts'
import { javascriptReads } from './imports/javascript.ts'
import { pythonReads } from './imports/python.ts'
import { rustReads } from './imports/rust.ts'
import type { Reads, Tree } from './tree.ts'

/** How a file comes to need a changed one: the file it needs itself, and the changed one at the end. */
export interface Reason {
  next: string
  changed: string
}

export type Users = Map<string, string[]>

/** All files that need one of these, directly or through others. */
export const whoNeeds = (tree: Tree, changed: readonly string[]): Map<string, Reason> => needing(usersOf(tree), changed)

/** The same, where it is asked many times about one tree. */
export function needing(users: Users, changed: readonly string[]): Map<string, Reason> {
  const reasons = new Map<string, Reason>()
  let edge = [...new Set(changed)].map((path) => ({ path, changed: path }))
  const seen = new Set(edge.map(({ path }) => path))
  while (edge.length > 0) {
    const further: typeof edge = []
    for (const { path, changed: first } of edge) {
      for (const user of users.get(path) ?? []) {
        if (seen.has(user)) continue
        seen.add(user)
        reasons.set(user, { next: path, changed: first })
        further.push({ path: user, changed: first })
      }
    }
    edge = further
  }
  return reasons
}

/** Who needs a file or a folder. A folder that somebody needs as a whole needs what is in it. */
export function usersOf(tree: Tree): Users {
  const users: Users = new Map()
  const reads = readsOf(tree)
  const add = (needed: string, user: string) => {
    const known = users.get(needed)
    if (known === undefined) users.set(needed, [user])
    else if (known.at(-1) !== user) known.push(user)
  }
  const folders = new Set<string>()
  for (const path of tree.texts.keys()) {
    for (const needed of reads(path)) {
      if (needed !== path) add(needed, path)
      if (needed.endsWith('/')) folders.add(needed)
    }
  }
  for (const path of tree.files) for (const folder of foldersAround(path)) if (folders.has(folder)) add(path, folder)
  return users
}

/** Of a Go package only the folder itself counts; of others everything below. */
function foldersAround(path: string): string[] {
  if (path.endsWith('_test.go')) return []
  const own = `${folderOf(path)}/`
  if (path.endsWith('.go')) return [own]
  const parts = path.split('/').slice(0, -1)
  return [...parts.map((_, index) => `${parts.slice(0, index + 1).join('/')}/`), '/']
}

function readsOf(tree: Tree): Reads {
  const [javascript, python, go, rust] = [javascriptReads, pythonReads, goReads, rustReads].map((make) => make(tree))
  return (path) => {
    if (path.endsWith('.py')) return python!(path)
    if (path.endsWith('.go')) return go!(path)
    if (path.endsWith('.rs')) return rust!(path)
    return path.endsWith('.json') || path.endsWith('.toml') ? [] : javascript!(path)
  }
}
