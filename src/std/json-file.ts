import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import { objectOf, parseJson } from './json.ts'

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
