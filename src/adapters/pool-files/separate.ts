import { constants } from 'node:fs'
import { chmod, copyFile, lstat, rename, utimes } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { notGit, type Seen, walk } from './walk.ts'

/** Some package tools link files from a store that they share between projects: whoever writes one writes them all. */
export async function separate(place: string): Promise<void> {
  const linked = (await walk(place, notGit)).filter(({ stat }) => stat.isFile() && stat.nlink > 1)
  for (const one of linked) await whileOpen(dirname(join(place, one.path)), () => replace(place, one))
}

async function replace(place: string, { path, stat }: Seen): Promise<void> {
  const file = join(place, path)
  await copyFile(file, `${file}.own`, constants.COPYFILE_FICLONE)
  await utimes(`${file}.own`, stat.atime, stat.mtime)
  await rename(`${file}.own`, file)
}

/** Such a tool may also have closed the folder. */
async function whileOpen(folder: string, work: () => Promise<void>): Promise<void> {
  const { mode } = await lstat(folder)
  if ((mode & 0o200) !== 0) return await work()
  await chmod(folder, mode | 0o200)
  await work().finally(() => chmod(folder, mode & 0o7777))
}
