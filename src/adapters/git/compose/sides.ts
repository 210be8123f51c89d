import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import type { TreeId } from '../../../delivery/ids.ts'
import type { Conflict, Side } from '../../../ports/repository/composing.ts'
import { type Clone, inClone } from '../clone.ts'
import type { TreeEntry } from '../objects/reader.ts'
import { itemsOf } from '../program/run.ts'

export interface StagedEntry extends TreeEntry {
  /** 1 is the base, 2 the line, 3 the story, 4 what came of it. */
  stage: number
}

export interface Trees {
  base: TreeId
  ours: TreeId
  theirs: TreeId
}

export type MergeSides = Pick<Conflict, 'path' | 'base' | 'ours' | 'theirs'> & {
  result: Side | null
  pointer: boolean
  binary: boolean
}

/** The sides of each file, with the text of those that have one. */
export async function sidesOf(clone: Clone, stages: Map<string, StagedEntry[]>): Promise<MergeSides[]> {
  return await Promise.all(
    [...stages].map(async ([path, entries]) => {
      const read = await Promise.all(entries.map((entry) => sideOf(clone, entry)))
      const at = (stage: number): Side | null => read[entries.findIndex((one) => one.stage === stage)]?.side ?? null
      const contents = read.flatMap(({ side, content }) => (side.mode.startsWith('100') ? [content] : []))
      const pointer = contents.some((content) => content?.subarray(0, lfs.length).toString('latin1') === lfs)
      const binary = contents.some((content) => content?.includes(0))
      return { path, base: at(1), ours: at(2), theirs: at(3), result: at(4), pointer, binary }
    }),
  )
}

const lfs = 'version https://git-lfs.github.com/spec/'
const longestBytes = 1_000_000

async function sideOf(
  { objects }: Clone,
  { mode, object }: TreeEntry,
): Promise<{ side: Side; content: Buffer | null }> {
  const bytes = mode === '160000' ? null : await objects.bytesOf(object)
  const content = bytes === null || bytes > longestBytes ? null : await objects.content(object)
  return { side: { mode, object, bytes, text: content === null ? null : textOf(content) }, content }
}

function textOf(content: Buffer): string | null {
  if (content.includes(0)) return null
  const text = content.toString('utf8')
  return Buffer.from(text, 'utf8').equals(content) ? text : null
}

/** Of files that all of these trees have under the same name: one stage for each tree. */
export async function entriesAt(
  { objects }: Clone,
  trees: TreeId[],
  paths: string[],
): Promise<Map<string, StagedEntry[]>> {
  const found = paths.map(async (path) => {
    const entries = await Promise.all(trees.map((tree) => objects.entryAt(tree, path)))
    const staged = entries.flatMap((entry, index) => (entry === null ? [] : [{ ...entry, stage: index + 1 }]))
    return staged.length === trees.length ? [[path, staged] as const] : []
  })
  return new Map((await Promise.all(found)).flat())
}

interface Attributes {
  /** `merge=union` */
  union: boolean
  /** `-merge`, `binary` or a filter: its lines mean nothing to git. */
  whole: boolean
}

/** What the line's .gitattributes say of these files. A bare clone has none for git to see, so they go into an index. */
export async function attributesOf(clone: Clone, tree: TreeId, paths: string[]): Promise<Map<string, Attributes>> {
  const files = [...new Set(paths.flatMap(foldersAbove))].map((folder) => `${folder}.gitattributes`)
  const lines = await Promise.all(
    files.map(async (file) => {
      const entry = await clone.objects.entryAt(tree, file)
      return entry === null ? '' : `${entry.mode} ${entry.object} 0\t${file}\0`
    }),
  )
  const input = lines.join('')
  if (input === '') return new Map()
  const index = `${clone.gitDir}/ropewalk/${randomBytes(8).toString('hex')}.attributes`
  const env = { GIT_INDEX_FILE: index }
  try {
    await inClone(clone, ['update-index', '-z', '--index-info'], { env, input })
    const asked = ['check-attr', '--cached', '-z', '--stdin', 'merge', 'filter']
    return attributesIn(itemsOf(await inClone(clone, asked, { env, input: paths.map((path) => `${path}\0`).join('') })))
  } finally {
    await rm(index, { force: true })
  }
}

/** The root's is empty; each other ends with a slash. */
function foldersAbove(path: string): string[] {
  const names = path.split('/').slice(0, -1)
  return ['', ...names.map((_, depth) => `${names.slice(0, depth + 1).join('/')}/`)]
}

/** Path, attribute, value; and again. */
function attributesIn(items: string[]): Map<string, Attributes> {
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
