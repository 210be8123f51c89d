import { statfsSync } from 'node:fs'
import { dirname } from 'node:path'

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
