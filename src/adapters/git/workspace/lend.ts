import { constants } from 'node:fs'
import { appendFile, copyFile, lstat, mkdir, readFile, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { diskFull } from '../../../ports/errors.ts'
import { isDiskFull } from '../../../std/files.ts'
import { covers } from '../../../std/glob.ts'
import type { AskedOf, Clone } from '../clone.ts'
import { bulkTimeoutMs, itemsOf, singleLine, userGit } from '../program/run.ts'

const longestBytes = 4_000_000

/**
 * Copies of files that the user's checkout has and git ignores there, for a place that needs them. Plain files only,
 * never through a link, never over what the commit has; and never part of a commit of ours.
 */
export async function lendFiles(
  clone: Clone,
  { patterns, place }: AskedOf<'lendFiles'>,
): Promise<{ path: string; text: string }[]> {
  if (patterns.length === 0) return []
  const root = singleLine(await userGit({ args: ['rev-parse', '--show-toplevel'], cwd: clone.user, accept: [128] }))
  // A bare repository has no files of its own.
  if (root === '') return []
  const list = ['ls-files', '-z', '--others', '--ignored', '--exclude-standard']
  const ignored = itemsOf(await userGit({ args: list, cwd: root, timeoutMs: bulkTimeoutMs }))
  const wanted = ignored.filter((path) => patterns.some((pattern) => means(pattern, path)))
  const lent: { path: string; text: string }[] = []
  for (const path of wanted) {
    const text = await lendFile({ root, place, path })
    if (text !== null) lent.push({ path, text })
  }
  await leaveOut(
    clone,
    lent.map(({ path }) => path),
  )
  return lent
}

/** A bare `.env` is where people keep the keys to what is live: only a pattern that says so means it. */
const means = (pattern: string, path: string): boolean =>
  covers(pattern, path) && (basename(path) !== '.env' || basename(pattern) === '.env')

/** Null: not lent. What is there already stays, and is known. */
async function lendFile({ root, place, path }: { root: string; place: string; path: string }): Promise<string | null> {
  if (!(await isPlain(root, path))) return null
  const folder = join(place, dirname(path))
  if (!(await leadsThrough(place, dirname(path)))) return null
  await mkdir(folder, { recursive: true })
  const how = constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL
  await copyFile(join(root, path), join(place, path), how).catch((error: unknown) =>
    unlessFull(error, join(place, path)),
  )
  return await readFile(join(root, path), 'utf8')
}

/** Half a file must not pass for one that was there before. */
async function unlessFull(error: unknown, path: string): Promise<void> {
  if (!isDiskFull(error)) return
  await rm(path, { force: true })
  throw diskFull(error)
}

async function isPlain(root: string, path: string): Promise<boolean> {
  const found = await lstat(join(root, path)).catch(() => null)
  return found?.isFile() === true && found.size <= longestBytes && (await leadsThrough(root, dirname(path)))
}

/** Real folders all the way, as far as they are there. */
async function leadsThrough(root: string, folder: string): Promise<boolean> {
  const names = folder === '.' ? [] : folder.split('/')
  for (const [index] of names.entries()) {
    const found = await lstat(join(root, ...names.slice(0, index + 1))).catch(() => null)
    if (found !== null && !found.isDirectory()) return false
  }
  return true
}

/** Every path that was ever lent. */
export async function lentPaths(clone: Clone): Promise<string[]> {
  const text = await readFile(lentFile(clone), 'utf8').catch(() => '')
  return text.split('\0').filter((path) => path !== '')
}

const lentFile = (clone: Clone): string => join(clone.gitDir, 'ropewalk', 'lent')

/** On record before an agent starts: nothing that it does brings them into a commit. */
async function leaveOut(clone: Clone, paths: string[]): Promise<void> {
  const before = new Set(await lentPaths(clone))
  const fresh = paths.filter((path) => !before.has(path))
  if (fresh.length > 0) await appendFile(lentFile(clone), fresh.map((path) => `${path}\0`).join(''))
  const file = join(clone.gitDir, 'info', 'exclude')
  const known = new Set((await readFile(file, 'utf8').catch(() => '')).split('\n'))
  const lines = paths.map((path) => `/${path.replace(/[\\*?[\]!# ]/g, '\\$&')}`)
  const missing = lines.filter((line) => !known.has(line))
  if (missing.length === 0) return
  await mkdir(dirname(file), { recursive: true })
  await appendFile(file, `\n${missing.join('\n')}\n`)
}
