/** Whatever has said it: the system by its code, a program or a database by its words. */
export function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code = '' } = error as NodeJS.ErrnoException
  return ['ENOSPC', 'EDQUOT'].includes(code) || said.test(error.message)
}

const said = /No space left on device|Disk quota exceeded|Out of diskspace|database or disk is full/i
