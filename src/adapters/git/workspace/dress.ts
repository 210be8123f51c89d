import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { CommitId } from '../../../delivery/ids.ts'
import { borrowedObjects } from '../../../ports/repository/workspaces.ts'
import { type Clone, inClone, recordPath } from '../clone.ts'
import { fallback } from '../commit.ts'
import { lineOf } from '../run.ts'
import { ageFiles } from './age.ts'
import { copyIndex } from './agent-git.ts'

/** A plain .git on the branch, and no file younger than the commit: what a checkout of the user's looks like. */
export async function dressPlace(
  clone: Clone,
  { path, commit, branch }: { path: string; commit: CommitId; branch: string },
): Promise<void> {
  const git = join(path, '.git')
  const head = join(git, 'refs/heads', branch)
  const index = recordPath(clone, path, 'index')
  await rm(git, { recursive: true, force: true })
  for (const folder of [borrowedObjects, '.git/objects/info', '.git/objects/pack', '.git/refs/tags', '.git/info'])
    await mkdir(join(path, folder), { recursive: true })
  await mkdir(join(head, '..'), { recursive: true })
  await Promise.all([
    writeFile(join(git, 'HEAD'), `ref: refs/heads/${branch}\n`),
    writeFile(head, `${commit}\n`),
    writeFile(join(git, 'objects/info/alternates'), 'borrowed\n'),
    writeFile(join(git, 'config'), configuration(clone)),
    ageFiles(path, index, { seconds: await dateOf(clone, commit), commit }),
  ])
  await copyIndex(index, join(git, 'index'))
}

function configuration(clone: Clone): string {
  const { name, email } = clone.identity ?? fallback
  return [
    '[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n\tlogallrefupdates = true',
    `[user]\n\tname = ${JSON.stringify(name)}\n\temail = ${JSON.stringify(email)}\n`,
  ].join('\n')
}

const dates = new Map<CommitId, Promise<number>>()

function dateOf(clone: Clone, commit: CommitId): Promise<number> {
  const known = dates.get(commit)
  if (known !== undefined) return known
  const read = inClone(clone, ['show', '-s', '--format=%ct', commit]).then((shown) => Number(lineOf(shown)))
  dates.set(commit, read)
  return read
}
