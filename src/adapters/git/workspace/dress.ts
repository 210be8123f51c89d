import { lstatSync, readdirSync, utimesSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { CommitId } from '../../../delivery/ids.ts'
import { borrowedObjects } from '../../../ports/repository.ts'
import { type Clone, inClone, recordPath } from '../clone.ts'
import { fallback } from '../commit.ts'
import { lineOf } from '../run.ts'
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

/** To look at more takes longer than it is worth. */
const mostEntries = 50_000

const dates = new Map<CommitId, Promise<number>>()

/** Only those that were written just now: what a spare place had already is old enough. */
async function ageFiles(clone: Clone, { path, commit }: { path: string; commit: CommitId }): Promise<void> {
  const known = dates.get(commit) ?? dateOf(clone, commit)
  dates.set(commit, known)
  const seconds = await known
  // Git looks at what has another time than it has noted; so that nobody else must, it looks now.
  if (age(path, seconds) > 0) await gitIn(clone, path)(['update-index', '-q', '--refresh'], { accept: [1] })
}

const dateOf = async (clone: Clone, commit: CommitId): Promise<number> =>
  Number(lineOf(await inClone(clone, ['show', '-s', '--format=%ct', commit])))

/** At once and not one by one in turns, which takes many times as long. Returns how many were too young. */
function age(root: string, seconds: number): number {
  const folders = [root]
  let [seen, aged] = [0, 0]
  for (let folder = folders.pop(); folder !== undefined && seen < mostEntries; folder = folders.pop()) {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name)
      seen++
      if (entry.isDirectory() && entry.name !== '.git') folders.push(path)
      if (entry.isSymbolicLink() || entry.name === '.git') continue
      if (Math.floor(lstatSync(path).mtimeMs / 1000) <= seconds) continue
      utimesSync(path, seconds, seconds)
      if (entry.isFile()) aged++
    }
  }
  return aged
}
