import { open } from 'node:fs/promises'
import { dirname, join } from 'node:path'

const atOnce = 32

/** So that a power cut finds these files, and their names, as they are now. What is not there need not be. */
export async function makeDurable(root: string, paths: string[]): Promise<void> {
  const all = paths.map((path) => join(root, path))
  await each(all, sync)
  await each([...new Set(all.map(dirname))], sync)
}

async function each(paths: string[], act: (path: string) => Promise<void>): Promise<void> {
  const left = [...paths]
  const worker = async (): Promise<void> => {
    for (let path = left.pop(); path !== undefined; path = left.pop()) await act(path)
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, paths.length) }, worker))
}

async function sync(path: string): Promise<void> {
  const file = await open(path, 'r').catch(() => null)
  // Some file systems have no such thing for folders.
  await file?.sync().catch(() => undefined)
  await file?.close()
}
