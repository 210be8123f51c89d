import { constants } from 'node:fs'
import { copyFile, rename, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { notGit, walk } from './walk.ts'

/** Some package tools link files from a store that they share between projects: whoever writes one writes them all. */
export async function separate(place: string): Promise<void> {
  const seen = await walk(place, notGit)
  for (const { path, stat } of seen) {
    if (!stat.isFile() || stat.nlink === 1) continue
    const file = join(place, path)
    await copyFile(file, `${file}.own`, constants.COPYFILE_FICLONE)
    await utimes(`${file}.own`, stat.atime, stat.mtime)
    await rename(`${file}.own`, file)
  }
}
