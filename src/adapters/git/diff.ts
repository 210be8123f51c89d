import type { CommitId } from '../../delivery/ids.ts'
import type { FileChange } from '../../ports/repository/commits.ts'
import { type Clone, inClone } from './clone.ts'
import { asCommit } from './commit.ts'
import { blobsOf } from './read.ts'
import { bulkTimeoutMs, itemsOf } from './run.ts'

const maxContentBytes = 1_000_000
/** No pointer to a large file is longer. */
const maxBinarySideBytes = 1_024

interface Entry {
  change: FileChange
  before: string
  after: string
}

const keptDiffs = 4
const keptLength = 4_000_000

/** All who judge a commit ask for the same: the last few are kept, unless they are large. */
export async function diff(clone: Clone, from: CommitId, to: CommitId): Promise<FileChange[]> {
  const { diffs } = clone
  const key = `${from} ${to}`
  const reading = diffs.get(key) ?? readDiff(clone, from, to)
  diffs.delete(key)
  diffs.set(key, reading)
  const forget = () => diffs.get(key) === reading && diffs.delete(key)
  reading.then((changes) => lengthOf(changes) > keptLength && forget(), forget)
  for (const oldest of [...diffs.keys()].slice(0, -keptDiffs)) diffs.delete(oldest)
  return (await reading).map((change) => ({ ...change }))
}

const lengthOf = (changes: FileChange[]): number =>
  changes.reduce((sum, { before, after }) => sum + (before?.length ?? 0) + (after?.length ?? 0), 0)

async function readDiff(clone: Clone, from: CommitId, to: CommitId): Promise<FileChange[]> {
  const args = ['diff-tree', '-r', '-z', '-M', '--raw', '--numstat', '--no-abbrev', ...plain]
  const output = await inClone(clone, [...args, asCommit(from), asCommit(to)], { timeoutMs: bulkTimeoutMs })
  const entries = entriesOf(itemsOf(output))
  const contents = await contentsOf(clone, entries)
  return entries.map(({ change, before, after }) => ({
    ...change,
    before: textOf(change, contents.get(before)),
    after: textOf(change, contents.get(after)),
  }))
}

/** One side of a binary change may be a text all the same: it takes the place of a pointer, or a pointer its place. */
function textOf({ binary }: FileChange, content: Buffer | undefined): string | null {
  if (content === undefined) return null
  if (binary && (content.length > maxBinarySideBytes || content.includes(0))) return null
  return content.toString('utf8')
}

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

const plain = ['--no-ext-diff', '--no-textconv', '--ignore-submodules=none']

/** First all raw entries (`:modes ids status`, path, and a second path for a rename), then the counts of each. */
function entriesOf(items: string[]): Entry[] {
  const entries: Entry[] = []
  let i = 0
  while (items[i]?.startsWith(':')) {
    const [oldMode, newMode, before, after, letter] = items[i]!.slice(1).split(' ') as [
      string,
      string,
      string,
      string,
      string,
    ]
    const renamed = letter.startsWith('R')
    const oldPath = renamed ? items[i + 1]! : null
    const path = items[renamed ? i + 2 : i + 1]!
    const change = { path, oldPath, status: statusOf(letter), oldMode: modeOf(oldMode), newMode: modeOf(newMode) }
    entries.push({ change: { ...change, binary: false, before: null, after: null }, before, after })
    i += renamed ? 3 : 2
  }
  markBinary(entries, items.slice(i))
  return entries
}

/** `added TAB deleted TAB path`, both `-` for a binary file; a rename has an empty path and two items after it. */
function markBinary(entries: Entry[], counts: string[]): void {
  let i = 0
  for (const entry of entries) {
    const count = counts[i] ?? ''
    entry.change.binary = count.startsWith('-\t-\t')
    i += count.endsWith('\t') ? 3 : 1
  }
}

function statusOf(letter: string): FileChange['status'] {
  if (letter === 'A') return 'added'
  if (letter === 'D') return 'deleted'
  if (letter === 'T') return 'type-changed'
  return letter.startsWith('R') ? 'renamed' : 'modified'
}

const modeOf = (mode: string): string | null => (mode === '000000' ? null : mode)

/** By object; each no longer than may be read. */
async function contentsOf(clone: Clone, entries: Entry[]): Promise<Map<string, Buffer>> {
  const longest = new Map<string, number>()
  for (const { change, before, after } of entries) {
    const sides = [...(isFile(change.oldMode) ? [before] : []), ...(isFile(change.newMode) ? [after] : [])]
    const bytes = change.binary ? maxBinarySideBytes : maxContentBytes
    for (const object of sides) longest.set(object, Math.max(bytes, longest.get(object) ?? 0))
  }
  return blobsOf(clone, await smallOnes(clone, longest))
}

const isFile = (mode: string | null): boolean => mode !== null && mode !== '160000'

async function smallOnes(clone: Clone, longest: Map<string, number>): Promise<string[]> {
  if (longest.size === 0) return []
  const sizes = await inClone(clone, ['cat-file', '--batch-check'], bulk([...longest.keys()]))
  return sizes.stdout
    .toString('utf8')
    .split('\n')
    .map((line) => line.split(' '))
    .filter(([object, type, size]) => type === 'blob' && Number(size) <= longest.get(object!)!)
    .map(([object]) => object!)
}

const bulk = (objects: string[]) => ({ input: `${objects.join('\n')}\n`, timeoutMs: bulkTimeoutMs })
