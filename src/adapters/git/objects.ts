import type { CommitId, TreeId } from '../../delivery/ids.ts'
import type { Author } from '../../ports/repository/commits.ts'
import { failedCall } from './program/failures.ts'
import type { GitCall } from './program/run.ts'
import { type AnswerReader, type Talk, talkTo } from './program/talk.ts'

export interface StoredObject {
  id: string
  type: string
  bytes: number
}

/** One file, folder, link or submodule of a tree. */
export interface TreeEntry {
  mode: string
  object: string
}

export interface NamedEntry extends TreeEntry {
  /** From the root of the tree. */
  path: string
}

export interface RawCommit {
  tree: TreeId
  parents: CommitId[]
  author: Author
  /** When it was committed, in seconds. */
  at: number
  message: string
}

/** Reads what a repository holds, all by one git that stays. A name is an id, a ref, or `<name>^{commit}`. */
export interface Objects {
  info(name: string): Promise<StoredObject | null>
  read(name: string): Promise<{ type: string; content: Buffer } | null>
  /** How long it is; like the following a TerminalError where it is not there. */
  bytesOf(id: string): Promise<number>
  content(id: string): Promise<Buffer>
  commit(id: CommitId): Promise<RawCommit>
  /** What lies in a tree itself, by name. */
  tree(id: TreeId): Promise<Map<string, TreeEntry>>
  /** All below a tree, as git orders it. */
  files(id: TreeId): Promise<NamedEntry[]>
  entryAt(tree: TreeId, path: string): Promise<TreeEntry | null>
}

export const folderMode = '40000'
const mostEntries = 300_000
const mostCommits = 10_000
const mostLists = 4

/** `place`: the options by which git finds the repository. */
export function openObjects(prepare: (call: GitCall) => GitCall, place: string[]): Objects {
  const call = { args: [...place, 'cat-file', '--batch-command'] }
  const talk = talkTo(() => prepare(call), answer)
  const commits = new Map<string, Promise<RawCommit>>()
  const trees = new Map<string, Promise<Map<string, TreeEntry>>>()
  const lists = new Map<string, Promise<NamedEntry[]>>()
  let entries = 0
  const objects: Objects = {
    ...asking(talk),
    bytesOf: async (id) => there(await objects.info(id), id).bytes,
    content: async (id) => there(await objects.read(id), id).content,
    commit: (id) => {
      if (commits.size > mostCommits) commits.clear()
      return kept(commits, id, async () => parseCommit(await objects.content(id)))
    },
    tree: (id) => {
      if (entries > mostEntries) {
        trees.clear()
        entries = 0
      }
      return kept(trees, id, async () => {
        const tree = new Map(entriesIn(await objects.content(id), 'utf8'))
        entries += tree.size
        return tree
      })
    },
    files: (id) => {
      for (const oldest of [...lists.keys()].slice(0, -mostLists)) lists.delete(oldest)
      return kept(lists, id, () => filesBelow(objects, id, ''))
    },
    entryAt: async (tree, path) => {
      const [name, ...rest] = path.split('/')
      const entry = (await objects.tree(tree)).get(name!)
      if (entry === undefined || rest.length === 0) return entry ?? null
      return entry.mode === folderMode ? await objects.entryAt(entry.object, rest.join('/')) : null
    },
  }
  return objects
}

function there<T>(found: T | null, id: string): T {
  if (found === null) throw failedCall(['cat-file'], { code: 128, stderr: `fatal: bad object ${id}` })
  return found
}

/** Kept from now on, unless it fails. */
function kept<T>(known: Map<string, Promise<T>>, key: string, make: () => Promise<T>): Promise<T> {
  const found = known.get(key)
  if (found !== undefined) return found
  const making = make()
  known.set(key, making)
  making.catch(() => known.delete(key))
  return making
}

async function filesBelow(objects: Objects, tree: TreeId, folder: string): Promise<NamedEntry[]> {
  const parts = [...(await objects.tree(tree))].map(async ([name, entry]) => {
    const path = `${folder}${name}`
    return entry.mode === folderMode ? await filesBelow(objects, entry.object, `${path}/`) : [{ path, ...entry }]
  })
  return (await Promise.all(parts)).flat()
}

type Answer = (StoredObject & { content: Buffer }) | null

function asking(talk: Talk<Answer>): Pick<Objects, 'info' | 'read'> {
  const ask = (how: string, name: string): Promise<Answer> =>
    /[\n\0]/.test(name) ? Promise.resolve(null) : talk.ask(`${how} ${name}\n`)
  return { info: (name) => ask('info', name), read: (name) => ask('contents', name) }
}

/** `id type size`; where the content was asked for, a line feed, the content, a line feed. Else the name and why not. */
const answer: AnswerReader<Answer> = (said, question) => {
  const end = said.indexOf(10)
  if (end === -1) return said.length + 1
  const found = /^([0-9a-f]+) (\w+) (\d+)$/.exec(said.toString('utf8', 0, end))
  const start = end + 1
  if (found === null) return { answer: null, bytes: start }
  const [, id, type, size] = found as unknown as [string, string, string, string]
  const bytes = Number(size)
  if (question.startsWith('info')) return { answer: { id, type, bytes, content: Buffer.alloc(0) }, bytes: start }
  if (said.length <= start + bytes) return start + bytes + 1
  const content = Buffer.from(said.subarray(start, start + bytes))
  return { answer: { id, type, bytes, content }, bytes: start + bytes + 1 }
}

export function parseCommit(raw: Buffer): RawCommit {
  const end = raw.indexOf('\n\n')
  const head = raw.toString('latin1', 0, end)
  const encoding = /^encoding (.+)$/m.exec(head)?.[1] ?? 'utf8'
  const text = (part: Buffer): string => decoded(part, encoding)
  const [, name = '', email = '', date = ''] = /^author (.*?) ?<(.*?)> (.*)$/m.exec(text(raw.subarray(0, end))) ?? []
  return {
    tree: /^tree ([0-9a-f]+)$/m.exec(head)![1]!,
    parents: [...head.matchAll(/^parent ([0-9a-f]+)$/gm)].map((match) => match[1]!),
    author: { name, email, date },
    at: Number(/^committer .*> (-?\d+)/m.exec(head)?.[1] ?? 0),
    message: text(raw.subarray(end + 2)),
  }
}

function decoded(bytes: Buffer, encoding: string): string {
  try {
    return new TextDecoder(encoding, { ignoreBOM: true }).decode(bytes)
  } catch {
    return bytes.toString('utf8')
  }
}

/** `mode name NUL id`, and again; `latin1` keeps names byte for byte, whatever their encoding is. */
export function* entriesIn(tree: Buffer, encoding: 'utf8' | 'latin1'): Generator<[string, TreeEntry]> {
  for (let at = 0; at < tree.length; ) {
    const blank = tree.indexOf(32, at)
    const end = tree.indexOf(0, blank)
    const object = tree.toString('hex', end + 1, end + 21)
    yield [tree.toString(encoding, blank + 1, end), { mode: tree.toString('latin1', at, blank), object }]
    at = end + 21
  }
}

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
