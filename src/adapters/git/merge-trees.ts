import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import type { CommitId, TreeId } from '../../delivery/ids.ts'
import type { Conflict, MergedLines, Side } from '../../ports/repository/composing.ts'
import type { CommitMessage } from '../../ports/repository/workspaces.ts'
import { type Clone, inClone } from './clone.ts'
import { commitTree } from './commit.ts'
import { changesBetween, isAdded, type TreeEntry } from './objects.ts'
import { bulkTimeoutMs, itemsOf } from './program/run.ts'

/** Where a merge begins. */
interface Merging {
  base: CommitId
  message: CommitMessage
  trees: Trees
}

export interface MergedTrees {
  tree: TreeId
  files: Conflict[]
  byLines: MergedLines[]
}

/** What rules made of it. */
export interface MergeResult {
  tree: TreeId
  /** Still in conflict. */
  files: Conflict[]
  note: string
}

/** What git makes of the two sides, what it cannot or must not merge, and what it merged line by line. */
export async function mergeTrees(clone: Clone, merging: Merging): Promise<MergedTrees> {
  const { trees } = merging
  const { tree, stages, notes, automatic } = await runGit(clone, merging)
  const attributes = await attributesOf(clone, trees.ours, [...stages.keys(), ...automatic])
  const clean = automatic.filter((path) => !stages.has(path))
  const [declared, lines] = [true, false].map((whole) =>
    clean.filter((path) => (attributes.get(path)?.whole === true) === whole),
  ) as [string[], string[]]
  const { base, ours, theirs } = trees
  for (const [path, entries] of await entriesAt(clone, [base, ours, theirs], declared)) stages.set(path, entries)
  for (const { path, entry, text } of await nameClashes(clone, trees)) {
    stages.set(path, [{ ...entry, stage: 3 }])
    notes.push({ paths: [path], type: 'name', text })
  }
  const described = (file: MergeSides): Conflict => describe(file, notes, attributes.get(file.path))
  const files = (await sidesOf(clone, stages)).map(described)
  const merged = await sidesOf(clone, await entriesAt(clone, [base, ours, theirs, tree], lines))
  const said = { kind: 'content', detail: 'the lines of both sides fit' } as const
  return { tree, files, byLines: merged.map((file) => ({ ...described(file), ...said, result: file.result! })) }
}

/** Two added names that many machines take for one: only case or the way of writing an accent differs. */
async function nameClashes({ objects }: Clone, { base, ...sides }: Trees) {
  const added = async (tree: TreeId) => (await changesBetween(objects, base, tree)).filter(isAdded)
  const [ours, theirs] = await Promise.all([added(sides.ours), added(sides.theirs)])
  const known = new Map(ours.map(({ path }) => [folded(path), path]))
  const same = new Set(ours.map(({ path }) => path))
  return theirs.flatMap(({ path, after }) => {
    const there = known.get(folded(path))
    if (there === undefined || same.has(path)) return []
    const note = 'is on the line: the names differ only in case or in the form of a letter'
    return [{ path, entry: after!, text: `${JSON.stringify(there)} ${note}` }]
  })
}

const folded = (path: string): string => path.normalize('NFC').toLowerCase()

interface Note {
  paths: string[]
  type: string
  text: string
}

/** This git finds the merge base by itself, so both sides get a commit of their own with `base` as the only parent. */
async function runGit(clone: Clone, { base, message, trees }: Merging) {
  const side = (tree: TreeId, subject: string): Promise<CommitId> =>
    commitTree(clone, { tree, parents: [base], message: { subject, body: '', trailers: [], at: message.at } })
  const pair = await Promise.all([side(trees.ours, 'the line'), side(trees.theirs, 'the story')])
  const args = ['merge-tree', '--write-tree', '--messages', '-z', ...pair]
  const output = await inClone(clone, args, { accept: [1], timeoutMs: bulkTimeoutMs })
  const items = output.stdout.toString('utf8').split('\0')
  const end = items.indexOf('', 1)
  const messages = messagesOf(items.slice(end + 1))
  return {
    tree: items[0]!.trim(),
    stages: stagesOf(items.slice(1, end)),
    notes: messages.filter(({ type }) => type.startsWith('CONFLICT')),
    automatic: messages.filter(({ type }) => type === 'Auto-merging').flatMap(({ paths }) => paths),
  }
}

/** `mode object stage TAB path` for each stage, an empty item, then the messages. */
function stagesOf(items: string[]): Map<string, StagedEntry[]> {
  const stages = new Map<string, StagedEntry[]>()
  for (const item of items) {
    const [, mode, object, stage, path] = /^(\d+) ([0-9a-f]+) (\d)\t(.*)$/s.exec(item)!
    const entry = { mode: mode!, object: object!, stage: Number(stage) }
    stages.set(path!, [...(stages.get(path!) ?? []), entry])
  }
  return stages
}

/** How many paths, the paths, the kind of message, its text. */
function messagesOf(items: string[]): Note[] {
  const messages = []
  for (let i = 0; i + 2 < items.length; ) {
    const count = Number(items[i])
    const paths = items.slice(i + 1, i + 1 + count)
    messages.push({ paths, type: items[i + 1 + count] ?? '', text: (items[i + 2 + count] ?? '').trim() })
    i += count + 3
  }
  return messages
}

function describe(
  file: MergeSides,
  notes: Note[],
  attributes: { union: boolean; whole: boolean } | undefined,
): Conflict {
  const { path, base, ours, theirs } = file
  const said = notes.filter((note) => note.paths.includes(path))
  const kind = kindOf(
    said.map(({ type }) => type),
    { ...file, binary: file.binary || attributes?.whole === true },
  )
  const detail = said.map(({ text }) => text).join('\n') || `${path} is declared as one piece: it is not merged as text`
  return { path, kind, detail, base, ours, theirs, union: attributes?.union === true }
}

function kindOf(types: string[], file: MergeSides): Conflict['kind'] {
  const has = (pattern: RegExp): boolean => types.some((type) => pattern.test(type))
  const sides = [file.ours, file.theirs].filter((side) => side !== null)
  if (has(/^name/)) return 'name'
  if (sides.some(({ mode }) => mode === '160000')) return 'submodule'
  if (has(/modify\/delete|rename\/delete/)) return 'delete'
  if (has(/rename/)) return 'rename'
  if (has(/distinct/) || onlyModesDiffer(file)) return 'mode'
  if (sides.some(({ mode }) => mode === '120000')) return 'link'
  if (file.pointer) return 'pointer'
  if (has(/binary/) || file.binary) return 'binary'
  return has(/contents|add\/add/) ? 'content' : 'other'
}

const onlyModesDiffer = ({ ours, theirs }: MergeSides): boolean =>
  ours !== null && theirs !== null && ours.object === theirs.object && ours.mode !== theirs.mode

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
