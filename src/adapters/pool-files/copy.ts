import { execFile } from 'node:child_process'
import { constants, lstatSync, readdirSync, readlinkSync, type Stats } from 'node:fs'
import { chmod, copyFile, cp, lstat, mkdir, rename, utimes } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { setImmediate as breath } from 'node:timers/promises'
import { diskFull, TerminalError } from '../../ports/errors.ts'
import { isDiskFull, removeTree } from '../../std/files.ts'

export interface Seen {
  /** Below the root, with slashes. */
  path: string
  stat: Stats
}

/** Everything below a folder in a fixed order, links not followed; `enter` says which folders are looked into. */
export async function walk(root: string, enter: (path: string) => boolean = () => true): Promise<Seen[]> {
  const found: Seen[] = []
  const folders = ['']
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    // The synchronous calls are three times faster; others get their turn between folders.
    if (found.length % 64 < 8) await breath()
    for (const name of namesIn(join(root, folder)).sort()) {
      const path = folder === '' ? name : `${folder}/${name}`
      const stat = lstatSync(join(root, path), { throwIfNoEntry: false })
      // What vanishes meanwhile is not there.
      if (stat === undefined) continue
      found.push({ path, stat })
      if (stat.isDirectory() && enter(path)) folders.push(path)
    }
  }
  return found
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (!['EACCES', 'EPERM'].includes(code)) throw error
    const remedy = 'Let "setup" in the settings leave only folders that this user may read.'
    throw new TerminalError(`${folder} may not be read`, remedy)
  }
}

/** Not the root's own, which belongs to git. */
export const notGit = (path: string): boolean => path !== '.git'

/**
 * One line for each thing. The time of change cannot be set back by whoever writes a file, so a difference shows even
 * where size and age were kept.
 */
export const fileLine = (root: string, { path, stat }: Seen): string => {
  const target = stat.isSymbolicLink() ? readlinkSync(join(root, path)) : ''
  const size = stat.isDirectory() ? 0 : stat.size
  return [path, stat.mode, size, stat.mtimeMs, stat.ctimeMs, stat.ino, target].join('\0')
}

export const bytesOf = (seen: Seen[]): number => seen.reduce((sum, { stat }) => sum + stat.blocks * 512, 0)

/** Copying from here is slower, and several at once are not reliably faster; it clones where it can. */
const programs: Record<string, string[]> = {
  linux: ['cp', '-a', '--reflink=auto', '--'],
  darwin: ['cp', '-cRp', '--'],
}

interface Copying {
  from: string
  to: string
  /** What to copy, below both; what is there already is replaced. */
  roots: string[]
  mark: string
  /** Null: it is not ended before it is done. */
  signal: AbortSignal | null
}

/** False: something is in the way, or has vanished, and what is at `to` is not whole. TerminalError: the disk is full. */
export async function copyRoots({ from, to, roots, mark, signal }: Copying): Promise<boolean> {
  for (const folder of new Set(roots.map((root) => dirname(root)))) {
    const inside = roots.filter((root) => dirname(root) === folder)
    if (!(await isFolder(to, folder))) return false
    await Promise.all(inside.map((root) => removeTree(join(to, root))))
    for (const paths of chunks(inside.map((root) => join(from, root))))
      if (!(await copied(paths, join(to, folder), { mark, signal }))) return false
  }
  return true
}

/** A real one: what a link leads to is not ours. */
export async function isFolder(root: string, folder: string): Promise<boolean> {
  const names = folder === '.' ? [] : folder.split('/')
  for (const [index] of names.entries()) {
    const found = await lstat(join(root, ...names.slice(0, index + 1))).catch(() => null)
    if (!found?.isDirectory()) return false
  }
  return true
}

async function copied(
  paths: string[],
  folder: string,
  { mark, signal }: Pick<Copying, 'mark' | 'signal'>,
): Promise<boolean> {
  const [program, ...args] = programs[process.platform] ?? []
  if (program === undefined) return copiedHere(paths, folder)
  // Of its own: when a command ends, all that carries the command's mark ends with it.
  const env = { PATH: process.env.PATH ?? '', LC_ALL: 'C', ROPEWALK_MARK: `${mark}:copy` }
  const how = signal === null ? { env } : { env, signal }
  const failure = await new Promise<Error | null>((done) =>
    execFile(program, [...args, ...paths, folder], how, (error) => done(error)),
  )
  if (failure === null) return true
  if (isDiskFull(failure)) throw diskFull(failure)
  return (failure as NodeJS.ErrnoException).code === 'ENOENT' ? copiedHere(paths, folder) : false
}

async function copiedHere(paths: string[], folder: string): Promise<boolean> {
  const how = { recursive: true, verbatimSymlinks: true, preserveTimestamps: true, mode: constants.COPYFILE_FICLONE }
  await mkdir(folder, { recursive: true })
  const all = paths.map((path) => cp(path, join(folder, basename(path)), how))
  const ends = await Promise.allSettled(all)
  const full = ends.find((end) => end.status === 'rejected' && isDiskFull(end.reason))
  if (full?.status === 'rejected') throw diskFull(full.reason)
  return ends.every(({ status }) => status === 'fulfilled')
}

/** What fits on a command line, also with the longest names; the rest goes to further ones. */
export function chunks(names: string[]): string[][] {
  const all: string[][] = []
  let room = 0
  for (const name of names) {
    const bytes = Buffer.byteLength(name) + 1
    if (bytes > room || all.length === 0) {
      all.push([])
      room = longestBytes
    }
    all.at(-1)!.push(name)
    room -= bytes
  }
  return all
}

/** Systems take no less, besides the environment. */
const longestBytes = 96_000

/** Some package tools link files from a store that they share between projects: whoever writes one writes them all. */
export async function separate(place: string): Promise<void> {
  const linked = (await walk(place, notGit)).filter(({ stat }) => stat.isFile() && stat.nlink > 1)
  for (const one of linked) await whileOpen(dirname(join(place, one.path)), () => replace(place, one))
}

async function replace(place: string, { path, stat }: Seen): Promise<void> {
  const file = join(place, path)
  await copyFile(file, `${file}.own`, constants.COPYFILE_FICLONE)
  await utimes(`${file}.own`, stat.atime, stat.mtime)
  await rename(`${file}.own`, file)
}

/** Such a tool may also have closed the folder. */
async function whileOpen(folder: string, work: () => Promise<void>): Promise<void> {
  const { mode } = await lstat(folder)
  if ((mode & 0o200) !== 0) return await work()
  await chmod(folder, mode | 0o200)
  await work().finally(() => chmod(folder, mode & 0o7777))
}
