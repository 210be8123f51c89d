import { lstat, mkdir, rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { CommitId } from '../../../delivery/ids.ts'
import { borrowedObjects } from '../../../ports/repository.ts'
import { type Clone, inClone, recordPath } from '../clone.ts'
import { fallback } from '../commit.ts'
import { itemsOf, lineOf } from '../run.ts'
import { copyIndex } from './agent-git.ts'
import { gitIn } from './snapshot.ts'

/** A plain .git on the branch, and no file younger than the commit: what a checkout of the user's looks like. */
export async function dressPlace(
  clone: Clone,
  { path, commit, branch }: { path: string; commit: CommitId; branch: string },
): Promise<void> {
  const git = join(path, '.git')
  const head = join(git, 'refs/heads', branch)
  await rm(git, { recursive: true, force: true })
  for (const folder of [borrowedObjects, '.git/objects/info', '.git/objects/pack', '.git/refs/tags', '.git/info'])
    await mkdir(join(path, folder), { recursive: true })
  await mkdir(join(head, '..'), { recursive: true })
  await Promise.all([
    writeFile(join(git, 'HEAD'), `ref: refs/heads/${branch}\n`),
    writeFile(head, `${commit}\n`),
    writeFile(join(git, 'objects/info/alternates'), 'borrowed\n'),
    writeFile(join(git, 'config'), configuration(clone)),
    ageFiles(clone, { path, commit }),
  ])
  await copyIndex(recordPath(clone, path, 'index'), join(git, 'index'))
}

function configuration(clone: Clone): string {
  const { name, email } = clone.identity ?? fallback
  return [
    '[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n\tlogallrefupdates = true',
    `[user]\n\tname = ${JSON.stringify(name)}\n\temail = ${JSON.stringify(email)}\n`,
  ].join('\n')
}

const mostAtOnce = 64

/** Only those that were written just now: what a spare place had already is old enough. */
async function ageFiles(clone: Clone, { path, commit }: { path: string; commit: CommitId }): Promise<void> {
  const git = gitIn(clone, path)
  const [said, listed] = await Promise.all([
    inClone(clone, ['show', '-s', '--format=%ct', commit]),
    git(['ls-files', '-z']),
  ])
  const seconds = Number(lineOf(said))
  const files = itemsOf(listed)
  const folders = new Set(files.flatMap((file) => file.split('/').map((_, at, parts) => parts.slice(0, at).join('/'))))
  const age = async (name: string): Promise<void> => {
    const found = await lstat(join(path, name)).catch(() => null)
    if (found !== null && !found.isSymbolicLink() && Math.floor(found.mtimeMs / 1000) > seconds)
      await utimes(join(path, name), seconds, seconds)
  }
  for (let from = 0; from < files.length; from += mostAtOnce)
    await Promise.all(files.slice(from, from + mostAtOnce).map(age))
  await Promise.all([...folders].map(age))
  // Git looks at what has another time than it has noted; so that nobody else must, it looks now.
  await git(['update-index', '-q', '--refresh'], { accept: [1] })
}
