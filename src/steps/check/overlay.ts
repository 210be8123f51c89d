import { lstat, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** A file to write over the one in a place. */
export interface Overlay {
  path: string
  text: string | Uint8Array
}

/** Never through a link: what a story has put in the way is removed, so that nothing outside the place is written. */
export async function overwrite(place: string, { path, text }: Overlay): Promise<void> {
  const folders = path.split('/').slice(0, -1)
  for (const [index] of folders.entries()) {
    const folder = join(place, ...folders.slice(0, index + 1))
    const found = await lstat(folder).catch(() => null)
    if (found?.isDirectory()) continue
    await rm(folder, { force: true })
    await mkdir(folder)
  }
  const file = join(place, path)
  await rm(file, { recursive: true, force: true })
  await writeFile(file, text, { mode: 0o755, flag: 'wx' })
}
