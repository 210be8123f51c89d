import { constants } from 'node:fs'
import { open, rename, writeFile } from 'node:fs/promises'

const longestBytes = 4_000_000

/** A small file's text; null when it is not there, is no plain file, or is too long. */
export async function readText(path: string, longest = longestBytes): Promise<string | null> {
  // Not blocking and not following: an agent may have made it a pipe or a link.
  const flags = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW
  const file = await open(path, flags).catch(() => null)
  if (file === null) return null
  const stat = await file.stat()
  const text = stat.isFile() && stat.size <= longest ? await file.readFile('utf8') : null
  await file.close()
  return text
}

let made = 0

/** Whole or not at all, also where two write the same at once. */
export async function keepText(path: string, text: string | Uint8Array): Promise<void> {
  const making = `${path}.${process.pid}-${++made}.making`
  await writeFile(making, text, { mode: 0o600 })
  await rename(making, path)
}
