import { closeSync, constants, fstatSync, openSync, readSync, statfsSync } from 'node:fs'
import { chmod, lstat, readdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { objectOf, parseJson } from './json.ts'

/** Also where a tool has left folders that may not be written to. */
export async function removeTree(path: string): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true })
  } catch {
    await makeWritable(path)
    await rm(path, { recursive: true, force: true, maxRetries: 3 })
  }
}

async function makeWritable(path: string): Promise<void> {
  const found = await lstat(path).catch(() => null)
  if (!found?.isDirectory()) return
  await chmod(path, 0o700)
  for (const name of await readdir(path)) await makeWritable(join(path, name))
}

/** Whatever has said it: the system by its code, a program or a database by its words. */
export function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code = '' } = error as NodeJS.ErrnoException
  return ['ENOSPC', 'EDQUOT'].includes(code) || said.test(error.message)
}

const said = /^disk full: |No space left on device|Disk quota exceeded|Out of diskspace|database or disk is full/i

/** With less, programs fail in words of their own. */
const leastBytes = 256 * 1024

/** Whether it lies, or would lie, on a disk that has next to nothing left. */
export function isCramped(path: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(path)
    return bavail * bsize < leastBytes
  } catch {
    return dirname(path) !== path && isCramped(dirname(path))
  }
}

const longestBytes = 1024 * 1024

/** The JSON object in a file that anybody may have written: empty when there is none, or when it is too long. */
export function jsonObjectIn(path: string): Record<string, unknown> {
  return objectOf(parseJson(head(path)))
}

function head(path: string): string {
  try {
    // Not blocking and not following: somebody may have made it a pipe or a link.
    const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW)
    try {
      if (!fstatSync(fd).isFile()) return ''
      const buffer = Buffer.alloc(longestBytes + 1)
      const bytes = readSync(fd, buffer)
      return bytes > longestBytes ? '' : buffer.toString('utf8', 0, bytes)
    } finally {
      closeSync(fd)
    }
  } catch {
    return ''
  }
}
