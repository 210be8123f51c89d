import { chmod, lstat, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

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
