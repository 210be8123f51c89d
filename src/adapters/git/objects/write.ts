import { createHash, randomBytes } from 'node:crypto'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { deflate } from 'node:zlib'
import type { TreeId } from '../../../delivery/ids.ts'
import { diskFull, TerminalError, TransientError } from '../../../ports/errors.ts'
import { isDiskFull } from '../../../std/disk-full.ts'
import { exists } from '../clone.ts'
import { entriesIn, folderMode, type Objects, type TreeEntry } from './reader.ts'

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
  return entries.size === 0 ? null : await writeObject(place.gitDir, 'tree', treeOf(entries))
}

/** Git orders folders as if their names ended with a slash. */
function treeOf(entries: Map<string, TreeEntry>): Buffer {
  const key = ([name, { mode }]: [string, TreeEntry]): string => (mode === folderMode ? `${name}/` : name)
  const ordered = [...entries].sort((one, other) => (key(one) < key(other) ? -1 : 1))
  return Buffer.concat(
    ordered.flatMap(([name, { mode, object }]) => [
      Buffer.from(`${mode} ${name}\0`, 'latin1'),
      Buffer.from(object, 'hex'),
    ]),
  )
}
