import { rm, stat } from 'node:fs/promises'

const staleMs = 60_000

/**
 * A git that was killed together with us leaves its lock for ever, and nobody else would take it away. Only for files
 * of our own clone, which one driver at a time writes; a git that is still alive is given its time.
 */
export async function dropStaleLock(file: string): Promise<void> {
  const lock = `${file}.lock`
  const found = await stat(lock).catch(() => null)
  if (found !== null && Date.now() - found.mtimeMs > staleMs) await rm(lock, { force: true })
}
