import { createHash } from 'node:crypto'
import { lstatSync, utimesSync } from 'node:fs'
import { lstat, readdir, readFile, rename, stat, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import type { TreeId } from '../../../delivery/ids.ts'
import { invariant } from '../../../std/never.ts'
import { type Clone, exists, inClone, recordPath } from '../clone.ts'
import { type Edits, editTree } from '../commit.ts'
import { failedCall } from '../program/failures.ts'
import { bulkTimeoutMs, type GitCall, type GitOutput, itemsOf, singleLine } from '../program/run.ts'
import { alternates } from './agent-git.ts'
import { lentPaths } from './lend.ts'

export interface Worktree {
  path: string
  /** Tells what is tracked when our index of it is lost, and which submodules there are. Null: nothing is known. */
  base: string | null
  /** The agent's HEAD and index may hold ignored files that it has added by force. */
  forced: { head: string | null; index: boolean }
  /** A tree that it has been before. */
  known: TreeId | null
}

/**
 * Everything in a working tree that is not ignored, as a tree in our clone. Uses our git directory and our index,
 * so nothing in the agent's .git is believed; the index lies outside, and its stat data make this fast.
 */
export async function snapshot(clone: Clone, worktree: Worktree): Promise<TreeId> {
  const git = gitIn(clone, worktree.path)
  const index = recordPath(clone, worktree.path, 'index')
  if (worktree.base !== null && !(await exists(index))) await git(['read-tree', worktree.base])
  const added = await git(addAll, { accept: [1, 128] })
  const nested = /embedded git repository|does not have a commit checked out/.test(added.stderr)
  if (added.code !== 0 && !nested) await addRest(added, git)
  if (nested) await addNested(worktree.path, git)
  await addForced(worktree, git)
  await leaveOutLent(clone, worktree, git)
  if (worktree.base !== null && (nested || (await exists(join(worktree.path, '.gitmodules')))))
    await keepSubmodules(worktree.base, git)
  const written = worktree.known === null ? null : await treeOfIndex(clone, index, worktree.known)
  return written ?? singleLine(await git(['write-tree']))
}

/** By what differs from a tree that is known; null where a name is no UTF-8, which only git can tell. */
async function treeOfIndex(clone: Clone, index: string, known: TreeId): Promise<TreeId | null> {
  const entries = [...entriesIn(await readFile(index))].map(
    ({ mode, object, path }) => [path.toString('utf8'), { mode: mode.toString(8), object }] as const,
  )
  const gone = new Map((await clone.objects.files(known)).map(({ path, ...entry }) => [path, entry]))
  if ([...entries.map(([path]) => path), ...gone.keys()].some((path) => path.includes('\ufffd'))) return null
  const edits: Edits = new Map()
  for (const [path, entry] of entries) {
    const before = gone.get(path)
    if (before?.object !== entry.object || before.mode !== entry.mode) edits.set(path, entry)
    gone.delete(path)
  }
  for (const path of gone.keys()) edits.set(path, null)
  return edits.size === 0 ? known : await editTree(clone, known, edits)
}

/** Differs whenever git has written the file; null when there is none, or something else in its place. */
export async function stampOf(file: string): Promise<string | null> {
  const found = await stat(file).catch(() => null)
  return found?.isFile() ? `${found.ino} ${found.size} ${found.mtimeMs}` : null
}

const addAll = ['add', '--all', '--', '.']

type Git = (args: string[], more?: Omit<GitCall, 'args' | 'cwd'>) => Promise<GitOutput>

/** Git on our clone and our index, with this folder as the working tree. */
export function gitIn(clone: Clone, path: string): Git {
  const index = { GIT_INDEX_FILE: recordPath(clone, path, 'index'), GIT_INDEX_VERSION: '2' }
  return (args, more = {}) =>
    inClone(clone, ['--work-tree', path, ...args], {
      timeoutMs: bulkTimeoutMs,
      ...more,
      cwd: path,
      env: { ...index, ...more.env },
    })
}

/**
 * A repository that the agent made inside the workspace would become a link to a commit that exists nowhere else.
 * Its files are taken as files instead; its own history is left out.
 */
async function addNested(root: string, git: Git): Promise<void> {
  const tracked = await linksIn(['ls-files', '--stage', '-z'], git)
  for (const folder of await nestedRepositories(root)) {
    if (tracked.includes(folder))
      await git(['update-index', '--force-remove', '-z', '--stdin'], { input: `${folder}\0` })
    const files = (await filesBelow(join(root, folder))).map((file) => relative(root, file))
    const ignored = await ignoredOnes(files, git)
    await git(['update-index', '--add', '-z', '--stdin'], nul(files.filter((file) => !ignored.has(file))))
  }
  await git(addAll)
}

/** This command knows no literal paths; a leading `./` keeps any name from being read as a pattern. */
async function ignoredOnes(files: string[], git: Git): Promise<Set<string>> {
  const args = ['--no-literal-pathspecs', 'check-ignore', '--no-index', '-z', '--stdin']
  const dotted = files.map((file) => `./${file}`)
  return new Set(itemsOf(await git(args, nul(dotted, [1]))).map((file) => file.slice(2)))
}

/** A pipe, socket or device where a file was: the file is gone, and the other thing cannot be committed. */
async function addRest(added: GitOutput, git: Git): Promise<void> {
  const said = /^error: (.+): can only add regular files/gm
  if (added.stderr.match(said) === null) throw failedCall(addAll, added)
  const all = await git(['add', '--all', '--ignore-errors', '--', '.'], { accept: [1, 128] })
  const odd = [...all.stderr.matchAll(said)].map((match) => match[1]!)
  await git(['update-index', '--force-remove', '-z', '--stdin'], nul(odd))
}

const nul = (paths: string[], accept: number[] = []) => ({ input: paths.map((path) => `${path}\0`).join(''), accept })

/** Submodules that the base has stay as they are there, checked out or not. */
async function keepSubmodules(base: string, git: Git): Promise<void> {
  const links = await git(['ls-tree', '-r', '-z', '--full-tree', base])
  const lines = itemsOf(links).filter((item) => item.startsWith('160000 '))
  if (lines.length > 0) await git(['update-index', '-z', '--index-info'], nul(lines))
}

async function linksIn(args: string[], git: Git): Promise<string[]> {
  const items = itemsOf(await git(args)).filter((item) => item.startsWith('160000 '))
  return items.map((item) => item.slice(item.indexOf('\t') + 1))
}

/** What the agent has added by force although it is ignored. When its .git is broken, we go on without it. */
async function addForced(worktree: Worktree, git: Git): Promise<void> {
  const found = await Promise.allSettled([
    ...(worktree.forced.index ? [ignoredInIndex(worktree, git)] : []),
    ...(worktree.forced.head === null ? [] : [addedInHead(worktree, worktree.forced.head, git)]),
  ])
  for (const result of found)
    if (result.status === 'fulfilled' && result.value.length > 0)
      await git(['update-index', '--add', '--remove', '-z', '--stdin'], { input: result.value, accept: [128] })
}

/** What was lent is the user's and stays out, also when the agent has put it into its index or off the list of ignored files. */
async function leaveOutLent(clone: Clone, { base }: Worktree, git: Git): Promise<void> {
  const lent = new Set(await lentPaths(clone))
  if (lent.size === 0) return
  // Not named to git: there may be more of them than fit on a command line.
  const present = itemsOf(await git(['ls-files', '-z', '--cached'])).filter((path) => lent.has(path))
  if (present.length === 0) return
  const list = ['ls-tree', '-r', '-z', '--name-only', '--full-tree', base ?? '']
  const ours = new Set(base === null ? [] : itemsOf(await git(list)))
  const input = present.flatMap((path) => (ours.has(path) ? [] : [`${path}\0`])).join('')
  if (input !== '') await git(['update-index', '--force-remove', '-z', '--stdin'], { input })
}

async function ignoredInIndex(worktree: Worktree, git: Git): Promise<Buffer> {
  const agentGit = join(worktree.path, '.git')
  const env = { GIT_INDEX_FILE: join(agentGit, 'index'), ...alternates(agentGit) }
  return (await git(['ls-files', '-z', '--cached', '--ignored', '--exclude-standard'], { env })).stdout
}

/** Links to nested repositories are left out. Names are kept byte for byte, whatever their encoding. */
async function addedInHead(worktree: Worktree, head: string, git: Git): Promise<Buffer> {
  if (worktree.base === null) return Buffer.alloc(0)
  const args = ['diff-tree', '-r', '-z', '--raw', '--no-renames', '--diff-filter=A', worktree.base, head]
  const output = await git(args, { env: alternates(join(worktree.path, '.git')) })
  const items = output.stdout.toString('latin1').split('\0')
  const paths = items.filter((_, i) => i % 2 === 1 && !items[i - 1]!.startsWith(':000000 160000'))
  return Buffer.from(paths.map((path) => `${path}\0`).join(''), 'latin1')
}

/** Folders with a .git of their own, the outermost ones; the root's is not meant. */
async function nestedRepositories(root: string): Promise<string[]> {
  const found: string[] = []
  const walk = async (folder: string): Promise<void> => {
    for (const entry of await readdir(folder, { withFileTypes: true })) {
      if (!entry.isDirectory() || entry.name === '.git') continue
      const path = join(folder, entry.name)
      if (await lstat(join(path, '.git')).catch(() => null)) found.push(relative(root, path))
      else await walk(path)
    }
  }
  await walk(root)
  return found
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true })
  const files = entries.filter((entry) => entry.isFile() || entry.isSymbolicLink())
  const paths = files.map(({ parentPath, name }) => join(parentPath, name))
  return paths.filter((path) => !relative(folder, path).split('/').includes('.git'))
}

/**
 * Makes what is younger than this so old: files of the index, and the folders around them. How old they are now is
 * noted in the index by ourselves, since git would read each of them again for that.
 */
export async function ageFiles(place: string, index: string, seconds: number): Promise<void> {
  const bytes = await readFile(index)
  const entries = [...entriesIn(bytes)]
  for (const folder of foldersOf(entries)) ageOne(join(place, folder), seconds)
  const young = entries.filter(({ at, mode }) => bytes.readUInt32BE(at + 8) > seconds && mode >> 12 === regular)
  for (const { at, path } of young) {
    const file = Buffer.concat([Buffer.from(`${place}/`), path])
    utimesSync(file, seconds, seconds)
    note(bytes, at, file)
  }
  if (young.length > 0) await writeIndex(index, bytes)
}

interface Entry {
  at: number
  mode: number
  object: string
  /** Its name need not be UTF-8. */
  path: Buffer
}

/** What the index has, by path; none where there is no index. */
export async function indexedPaths(index: string): Promise<string[]> {
  const bytes = await readFile(index).catch(() => null)
  return bytes === null ? [] : [...entriesIn(bytes)].map(({ path }) => path.toString('utf8'))
}

const regular = 0o10
const submodule = 0o16
const fixedBytes = 40
const idBytes = 20

/** As gitformat-index(5) has them: times, places, mode, size; then the object's id, flags, and the path, padded. */
function* entriesIn(bytes: Buffer): Generator<Entry> {
  // So git is told to write them.
  invariant(bytes.readUInt32BE(4) <= 3, 'an index of a version that we cannot read')
  let at = 12
  for (let left = bytes.readUInt32BE(8); left > 0; left--) {
    const flagsAt = at + fixedBytes + idBytes
    const pathAt = flagsAt + (bytes.readUInt16BE(flagsAt) & 0x4000 ? 4 : 2)
    const end = bytes.indexOf(0, pathAt)
    const object = bytes.toString('hex', at + fixedBytes, flagsAt)
    yield { at, mode: bytes.readUInt32BE(at + 24), object, path: bytes.subarray(pathAt, end) }
    at += ((end - at) & ~7) + 8
  }
}

function foldersOf(entries: Entry[]): Set<string> {
  const folders = new Set<string>()
  for (const entry of entries) {
    const path = entry.path.toString('utf8').split('/')
    const names = entry.mode >> 12 === submodule ? path : path.slice(0, -1)
    for (let most = names.length; most > 0; most--) {
      const folder = names.slice(0, most).join('/')
      if (folders.has(folder)) break
      folders.add(folder)
    }
  }
  return folders
}

function ageOne(path: string, seconds: number): void {
  const stat = lstatSync(path, { throwIfNoEntry: false })
  if (stat?.isDirectory() && Math.floor(stat.mtimeMs / 1000) > seconds) utimesSync(path, seconds, seconds)
}

const billion = 1_000_000_000n

function note(bytes: Buffer, at: number, file: Buffer): void {
  const { ctimeNs, mtimeNs } = lstatSync(file, { bigint: true })
  for (const [index, value] of [ctimeNs, mtimeNs].entries()) {
    bytes.writeUInt32BE(Number((value / billion) & 0xffffffffn), at + index * 8)
    bytes.writeUInt32BE(Number(value % billion), at + index * 8 + 4)
  }
}

async function writeIndex(index: string, bytes: Buffer): Promise<void> {
  const end = bytes.length - idBytes
  createHash('sha1').update(bytes.subarray(0, end)).digest().copy(bytes, end)
  await writeFile(`${index}.aging`, bytes, { mode: 0o600 })
  await rename(`${index}.aging`, index)
}
