import { createHash, randomBytes } from 'node:crypto'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { deflate } from 'node:zlib'
import type { CommitId, TreeId } from '../../delivery/ids.ts'
import { diskFull, TerminalError, TransientError } from '../../ports/errors.ts'
import type { Author } from '../../ports/repository/commits.ts'
import type { VariantFile } from '../../ports/repository/composing.ts'
import type { CommitMessage } from '../../ports/repository/workspaces.ts'
import { isDiskFull } from '../../std/files.ts'
import { invariant } from '../../std/never.ts'
import { type Clone, exists, type Identity } from './clone.ts'
import { entriesIn, folderMode, type Objects, type TreeEntry } from './objects.ts'

/** A commit whose id follows from these values and the identity alone. */
export const commitTree = (
  clone: Clone,
  { tree, parents, message }: { tree: TreeId; parents: CommitId[]; message: CommitMessage },
): Promise<CommitId> => commitText(clone, { tree, parents, text: messageText(message), at: message.at, author: null })

/** The same with a message that is written already; `author` null: whoever commits. */
export function commitText(
  { gitDir, identity }: Clone,
  content: { tree: TreeId; parents: CommitId[]; text: string; at: number; author: Author | null },
): Promise<CommitId> {
  const { tree, text, at, author } = content
  const committer = signed({ ...(identity ?? fallback), date: `${Math.floor(at)} +0000` })
  const lines = [
    `tree ${asCommit(tree)}`,
    ...[...new Set(content.parents)].map((parent) => `parent ${asCommit(parent)}`),
    `author ${author === null ? committer : signed(author)}`,
    `committer ${committer}`,
    '',
    text.replaceAll('\0', ''),
  ]
  return writeObject(gitDir, 'commit', Buffer.from(lines.join('\n')))
}

/** As git signs: nothing that would end a name or an address, and no punctuation around it. */
function signed({ name, email, date }: Author): string {
  const plain = (text: string): string => text.replace(/[<>\n]/g, '').replace(/^[\s.,:;"\\']+|[\s.,:;"\\']+$/g, '')
  return `${plain(name) || fallback.name} <${plain(email)}> ${date}`
}

export const treeOf = async (clone: Clone, commit: CommitId): Promise<TreeId> =>
  (await clone.objects.commit(asCommit(commit))).tree

/** Guards every id that becomes an argument. */
export function asCommit(id: string): string {
  invariant(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(id), `"${id}" is not an object id`)
  return id
}

export const fallback: Identity = { name: 'Ropewalk', email: 'ropewalk@localhost' }

export function messageText(message: CommitMessage): string {
  const trailers = message.trailers.map(([key, value]) => `${key}: ${value}`).join('\n')
  const parts = [message.subject, message.body.trim(), trailers].filter((part) => part !== '')
  return `${parts.join('\n\n')}\n`
}

/** Who, when, why and what came before stay: only the tree is another, and a signature would not hold for it. */
export async function variant(
  clone: Clone,
  commit: CommitId,
  files: VariantFile[],
): Promise<{ commit: CommitId; tree: TreeId }> {
  const before = await treeOf(clone, commit)
  const tree = await editTree(clone, before, await editsOf(clone, before, files))
  if (tree === before) return { commit, tree }
  const text = (await clone.objects.content(asCommit(commit))).toString('latin1')
  const made = text.replace(/^tree [0-9a-f]+/, `tree ${tree}`).replace(/^gpgsig(?:-sha256)? .*\n(?: .*\n)*/m, '')
  return { commit: await writeObject(clone.gitDir, 'commit', Buffer.from(made, 'latin1')), tree }
}

async function editsOf(clone: Clone, own: TreeId, files: VariantFile[]): Promise<Edits> {
  const edits = files.map(async (file) => {
    const tree = 'from' in file ? await treeOf(clone, file.from) : own
    const entry = await clone.objects.entryAt(tree, file.path)
    if (!('text' in file)) return [file.path, entry] as const
    const object = await writeObject(clone.gitDir, 'blob', Buffer.from(file.text))
    return [file.path, { mode: entry?.mode ?? '100644', object }] as const
  })
  return new Map(await Promise.all(edits))
}

const packed = promisify(deflate)

/** As git does it: under another name first, so that it is there whole or not at all. */
export async function writeObject(gitDir: string, type: string, content: Buffer): Promise<string> {
  const whole = Buffer.concat([Buffer.from(`${type} ${content.length}\0`), content])
  const id = createHash('sha1').update(whole).digest('hex')
  const file = join(gitDir, 'objects', id.slice(0, 2), id.slice(2))
  if (await exists(file)) return id
  const making = join(dirname(file), `tmp_obj_${randomBytes(6).toString('hex')}`)
  try {
    await mkdir(dirname(file), { recursive: true })
    await writeFile(making, (await packed(whole)) as Buffer, { mode: 0o444 })
    await rename(making, file)
  } catch (error) {
    await rm(making, { force: true })
    throw notWritten(error as NodeJS.ErrnoException)
  }
  return id
}

function notWritten(error: NodeJS.ErrnoException): Error {
  if (isDiskFull(error)) return diskFull(error)
  if (['EACCES', 'EPERM', 'EROFS'].includes(error.code ?? ''))
    return new TerminalError(error.message, 'Make the path writable for this user, then resume.')
  return new TransientError(error.message)
}

type Place = { objects: Objects; gitDir: string }

/** What a tree is to hold instead, by path; null: nothing. */
export type Edits = Map<string, TreeEntry | null>

/** The tree with these files changed. A file takes the place of a folder of its name, and a folder that of a file. */
export async function editTree(place: Place, tree: TreeId, edits: Edits): Promise<TreeId> {
  // Names of a tree need not be UTF-8, and stay byte for byte.
  const named = [...edits].map(([path, entry]) => [Buffer.from(path).toString('latin1'), entry] as const)
  // What goes makes room for what comes.
  const inOrder = [...named.filter(([, entry]) => entry === null), ...named.filter(([, entry]) => entry !== null)]
  const edited = await edit(place, tree, inOrder)
  return edited ?? (await writeObject(place.gitDir, 'tree', Buffer.alloc(0)))
}

async function edit(
  place: Place,
  tree: TreeId | null,
  edits: (readonly [string, TreeEntry | null])[],
): Promise<TreeId | null> {
  const entries = new Map(tree === null ? [] : entriesIn(await place.objects.content(tree), 'latin1'))
  const folders = new Map<string, [string, TreeEntry | null][]>()
  for (const [path, entry] of edits) {
    const cut = path.indexOf('/')
    const name = cut === -1 ? path : path.slice(0, cut)
    if (cut !== -1) folders.set(name, [...(folders.get(name) ?? []), [path.slice(cut + 1), entry]])
    else if (entry !== null) entries.set(name, entry)
    else if (entries.get(name)?.mode !== folderMode) entries.delete(name)
  }
  for (const [name, below] of folders) {
    const former = entries.get(name)
    const isFolder = former?.mode === folderMode
    if (former !== undefined && !isFolder && below.every(([, entry]) => entry === null)) continue
    const object = await edit(place, isFolder ? former.object : null, below)
    if (object === null) entries.delete(name)
    else entries.set(name, { mode: folderMode, object })
  }
  return entries.size === 0 ? null : await writeObject(place.gitDir, 'tree', encoded(entries))
}

/** Git orders folders as if their names ended with a slash. */
function encoded(entries: Map<string, TreeEntry>): Buffer {
  const key = ([name, { mode }]: [string, TreeEntry]): string => (mode === folderMode ? `${name}/` : name)
  const ordered = [...entries].sort((one, other) => (key(one) < key(other) ? -1 : 1))
  return Buffer.concat(
    ordered.flatMap(([name, { mode, object }]) => [
      Buffer.from(`${mode} ${name}\0`, 'latin1'),
      Buffer.from(object, 'hex'),
    ]),
  )
}
