import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { posix } from 'node:path'
import type { TreeId } from '../../../delivery/ids.ts'
import { type Clone, inClone } from '../clone.ts'
import { itemsOf } from '../run.ts'
import { entriesOf } from './sides.ts'

export interface Attributes {
  /** `merge=union` */
  union: boolean
  /** `-merge`, `binary` or a filter: its lines mean nothing to git. */
  whole: boolean
}

/** What the line's .gitattributes say of these files. A bare clone has none for git to see, so they go into an index. */
export async function attributesOf(clone: Clone, tree: TreeId, paths: string[]): Promise<Map<string, Attributes>> {
  const folders = new Set(paths.flatMap(foldersOf))
  const files = [...folders].map((folder) => posix.join(folder, '.gitattributes'))
  const entries = paths.length === 0 ? new Map() : await entriesOf(clone, tree, { paths: files, stage: 0 })
  if (entries.size === 0) return new Map()
  const index = `${clone.gitDir}/ropewalk/${randomBytes(8).toString('hex')}.attributes`
  const env = { GIT_INDEX_FILE: index }
  try {
    const lines = [...entries].map(([path, { mode, object }]) => `${mode} ${object} 0\t${path}\0`)
    await inClone(clone, ['update-index', '-z', '--index-info'], { env, input: lines.join('') })
    const asked = ['check-attr', '--cached', '-z', '--stdin', 'merge', 'filter']
    const input = paths.map((path) => `${path}\0`).join('')
    return read(itemsOf(await inClone(clone, asked, { env, input })))
  } finally {
    await rm(index, { force: true })
  }
}

function foldersOf(path: string): string[] {
  const parts = path.split('/').slice(0, -1)
  return ['', ...parts.map((_, index) => parts.slice(0, index + 1).join('/'))]
}

/** Path, attribute, value; and again. */
function read(items: string[]): Map<string, Attributes> {
  const found = new Map<string, Attributes>()
  for (let i = 0; i + 2 < items.length; i += 3) {
    const [path, name, value] = items.slice(i, i + 3) as [string, string, string]
    const known = found.get(path) ?? { union: false, whole: false }
    if (name === 'merge') known.union = value === 'union'
    if ((name === 'merge' && (value === 'unset' || value === 'binary')) || (name === 'filter' && value === 'lfs'))
      known.whole = true
    found.set(path, known)
  }
  return found
}
