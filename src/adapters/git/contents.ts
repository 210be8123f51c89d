import type { CommitId } from '../../delivery/ids.ts'
import type { CommitText } from '../../ports/proofs/user-repository.ts'
import type { FileChange } from '../../ports/repository/commits.ts'
import { type Clone, inClone } from './clone.ts'
import { asCommit, treeOf } from './commit.ts'
import { changesBetween, isAdded, isRemoved, type NamedEntry, type Objects, type TreeChange } from './objects.ts'
import { bulkTimeoutMs, itemsOf } from './program/run.ts'

export async function readCommit({ objects }: Pick<Clone, 'objects'>, commit: CommitId): Promise<CommitText> {
  const { tree, message } = await objects.commit(asCommit(commit))
  return { tree, message }
}

/** Null where there is no plain file: an agent may have named any path. */
export async function readFile(clone: Clone, commit: CommitId, path: string): Promise<string | null> {
  return await textAt(clone.objects, await treeOf(clone, commit), path)
}

export async function textAt(objects: Objects, tree: string, path: string): Promise<string | null> {
  const entry = await objects.entryAt(tree, path)
  return entry?.mode.startsWith('100') ? (await objects.content(entry.object)).toString('utf8') : null
}

const entriesOf = async (clone: Clone, commit: CommitId): Promise<NamedEntry[]> =>
  clone.objects.files(await treeOf(clone, commit))

export const listFiles = async (clone: Clone, commit: CommitId): Promise<string[]> =>
  (await entriesOf(clone, commit)).map(({ path }) => path)

const longestBytes = 1_000_000

export async function readFiles(
  clone: Clone,
  commit: CommitId,
  paths: readonly string[],
): Promise<Map<string, Uint8Array>> {
  if (paths.length === 0) return new Map()
  const wanted = new Set(paths)
  const entries = (await entriesOf(clone, commit)).filter(
    ({ mode, path }) => mode.startsWith('100') && wanted.has(path),
  )
  const found = entries.map(async ({ path, object }) => {
    const bytes = await clone.objects.bytesOf(object)
    return bytes > longestBytes ? [] : [[path, await clone.objects.content(object)] as const]
  })
  return new Map((await Promise.all(found)).flat())
}

const blockBytes = 4_096

/** In blocks, as file systems count; folders are left out. */
export async function sizeOf(clone: Clone, commit: CommitId): Promise<number> {
  const files = (await entriesOf(clone, commit)).filter(({ mode }) => mode !== '160000')
  const sizes = await Promise.all(files.map(({ object }) => clone.objects.bytesOf(object)))
  return sizes.reduce((sum, size) => sum + Math.ceil(size / blockBytes) * blockBytes, 0)
}

const maxContentBytes = 1_000_000
/** No pointer to a large file is longer. */
const maxBinarySideBytes = 1_024
/** Git looks no further for what is no text. */
const lookedAtBytes = 8_000

const keptDiffs = 4
const keptLength = 4_000_000

/** All who judge a commit ask for the same: the last few are kept, unless they are large. */
export async function diff(clone: Clone, from: CommitId, to: CommitId): Promise<FileChange[]> {
  const { diffs } = clone
  const trees = await Promise.all([treeOf(clone, from), treeOf(clone, to)])
  const key = trees.join(' ')
  const reading = diffs.get(key) ?? readDiff(clone, ...trees)
  diffs.delete(key)
  diffs.set(key, reading)
  const forget = () => diffs.get(key) === reading && diffs.delete(key)
  reading.then((changes) => lengthOf(changes) > keptLength && forget(), forget)
  for (const oldest of [...diffs.keys()].slice(0, -keptDiffs)) diffs.delete(oldest)
  return (await reading).map((change) => ({ ...change }))
}

const lengthOf = (changes: FileChange[]): number =>
  changes.reduce((sum, { before, after }) => sum + (before?.length ?? 0) + (after?.length ?? 0), 0)

/** A change, and which objects its sides are. */
interface Compared {
  change: FileChange
  before: string | null
  after: string | null
}

async function readDiff(clone: Clone, from: string, to: string): Promise<FileChange[]> {
  const changes = await changesBetween(clone.objects, from, to)
  const sizes = await sizesOf(clone, changes)
  const isLarge = [...sizes.values()].some((bytes) => bytes > maxContentBytes)
  // What was renamed, and whether a large file is text, git knows best.
  const needsGit = isLarge || (changes.some(isAdded) && changes.some(isRemoved))
  const compared = needsGit ? await byGit(clone, from, to) : changes.map(plainly)
  const read = async (object: string | null): Promise<Buffer | null> =>
    object === null || (sizes.get(object) ?? Infinity) > maxContentBytes ? null : await clone.objects.content(object)
  return await Promise.all(
    compared.map(async ({ change, before, after }) => {
      const sides = await Promise.all([read(before), read(after)])
      const binary =
        change.binary || (!needsGit && sides.some((side) => side?.subarray(0, lookedAtBytes).includes(0) === true))
      const [old, now] = sides.map((side) => textOf(side, binary))
      return { ...change, binary, before: old!, after: now! }
    }),
  )
}

/** One side of a binary change may be a text all the same: it takes the place of a pointer, or a pointer its place. */
function textOf(content: Buffer | null, binary: boolean): string | null {
  if (content === null) return null
  return binary && (content.length > maxBinarySideBytes || content.includes(0)) ? null : content.toString('utf8')
}

/** Of all sides that are files. */
async function sizesOf({ objects }: Clone, changes: TreeChange[]): Promise<Map<string, number>> {
  const sides = changes.flatMap(({ before, after }) => [before, after])
  const ids = new Set(sides.flatMap((side) => (side === null || side.mode === submodule ? [] : [side.object])))
  return new Map(await Promise.all([...ids].map(async (id) => [id, await objects.bytesOf(id)] as const)))
}

const submodule = '160000'

function plainly({ path, before, after }: TreeChange): Compared {
  const modes = { oldMode: before?.mode ?? null, newMode: after?.mode ?? null }
  const change = { path, oldPath: null, status: statusOf(modes), ...modes, binary: false, before: null, after: null }
  return { change, before: before?.object ?? null, after: after?.object ?? null }
}

function statusOf({ oldMode, newMode }: Pick<FileChange, 'oldMode' | 'newMode'>): FileChange['status'] {
  if (oldMode === null) return 'added'
  if (newMode === null) return 'deleted'
  return oldMode.slice(0, 3) === newMode.slice(0, 3) ? 'modified' : 'type-changed'
}

/** First all raw entries (`:modes ids status`, path, and a second path for a rename), then the counts of each. */
async function byGit(clone: Clone, from: string, to: string): Promise<Compared[]> {
  const args = ['diff-tree', '-r', '-z', '-M', '--raw', '--numstat', '--no-abbrev', ...plain, from, to]
  const items = itemsOf(await inClone(clone, args, { timeoutMs: bulkTimeoutMs }))
  const found: Compared[] = []
  let i = 0
  while (items[i]?.startsWith(':')) {
    const [oldMode, newMode, before, after, letter = ''] = items[i]!.slice(1).split(' ')
    const isRename = letter.startsWith('R')
    const path = items[isRename ? i + 2 : i + 1]!
    const modes = { oldMode: modeOf(oldMode!), newMode: modeOf(newMode!) }
    const renamed = isRename ? { oldPath: items[i + 1]!, status: 'renamed' as const } : {}
    const change = { path, oldPath: null, status: statusOf(modes), ...renamed, ...modes }
    found.push({
      change: { ...change, binary: false, before: null, after: null },
      ...{ before: before!, after: after! },
    })
    i += isRename ? 3 : 2
  }
  // `added TAB deleted TAB path`, both `-` for a binary file; a rename has an empty path and two items after it.
  for (const { change } of found) {
    const count = items[i] ?? ''
    change.binary = count.startsWith('-\t-\t')
    i += count.endsWith('\t') ? 3 : 1
  }
  return found
}

const plain = ['--no-ext-diff', '--no-textconv', '--ignore-submodules=none']

const modeOf = (mode: string): string | null => (mode === '000000' ? null : mode)

/** A unified patch for people and prompts. */
export async function patch(
  clone: Clone,
  request: { from: CommitId; to: CommitId; maxBytes: number },
): Promise<string> {
  const args = ['diff-tree', '-r', '-p', '-M', '--no-color', ...plain, asCommit(request.from), asCommit(request.to)]
  const output = await inClone(clone, args, { maxBytes: request.maxBytes, timeoutMs: bulkTimeoutMs })
  if (!output.cut) return output.stdout.toString('utf8')
  const head = output.stdout
    .subarray(0, request.maxBytes)
    .toString('utf8')
    .replace(/\uFFFD$/, '')
  return `${head}\n[cut: the patch is longer than ${request.maxBytes} bytes]\n`
}
