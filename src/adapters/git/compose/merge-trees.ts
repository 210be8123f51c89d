import type { CommitId, TreeId } from '../../../delivery/ids.ts'
import type { Conflict, MergedLines } from '../../../ports/repository/composing.ts'
import type { CommitMessage } from '../../../ports/repository/workspaces.ts'
import { type Clone, inClone } from '../clone.ts'
import { commitTree } from '../commit.ts'
import { changesBetween, isAdded, type TreeChange } from '../objects/changes.ts'
import type { TreeEntry } from '../objects/reader.ts'
import { bulkTimeoutMs } from '../program/run.ts'
import { attributesOf, entriesAt, type MergeSides, type StagedEntry, sidesOf, type Trees } from './sides.ts'

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
  for (const { path, entry, note } of await nameClashes(clone, trees)) {
    stages.set(path, [{ ...entry, stage: 3 }])
    notes.push({ paths: [path], type: 'name', text: note })
  }
  const described = (file: MergeSides): Conflict => describe(file, notes, attributes.get(file.path))
  const files = (await sidesOf(clone, stages)).map(described)
  const merged = await sidesOf(clone, await entriesAt(clone, [base, ours, theirs, tree], lines))
  const said = { kind: 'content', detail: 'the lines of both sides fit' } as const
  return { tree, files, byLines: merged.map((file) => ({ ...described(file), ...said, result: file.result! })) }
}

/** Two added names that many machines take for one: only case or the way of writing an accent differs. */
async function nameClashes(
  { objects }: Clone,
  trees: Trees,
): Promise<{ path: string; entry: TreeEntry; note: string }[]> {
  const [ours, theirs] = (await Promise.all(
    [trees.ours, trees.theirs].map(async (tree) => (await changesBetween(objects, trees.base, tree)).filter(isAdded)),
  )) as [TreeChange[], TreeChange[]]
  const known = new Map(ours.map(({ path }) => [folded(path), path]))
  const same = new Set(ours.map(({ path }) => path))
  return theirs.flatMap(({ path, after }) => {
    const there = known.get(folded(path))
    if (there === undefined || same.has(path)) return []
    const note = 'is on the line: the names differ only in case or in the form of a letter'
    return [{ path, entry: after!, note: `${JSON.stringify(there)} ${note}` }]
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
