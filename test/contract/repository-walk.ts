import { join } from 'node:path'
import { openRepositories } from '../../src/adapters/git/repositories.ts'
import type { Repository } from '../../src/ports/repository/repository.ts'
import type { CommitMessage } from '../../src/ports/repository/workspaces.ts'
import { write } from '../empty-repository.ts'
import { temporaryFolder } from './user-repository.ts'

/** Nobody's global configuration decides what is seen; it is as it was before for the next file. */
export function forgetUser(): void {
  Object.assign(process.env, { HOME: '/dev/null', GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' })
}

export const message = (subject = 'Do it'): CommitMessage => ({
  subject,
  body: 'Because it was asked for.',
  trailers: [['Ropewalk-Delivery', 'd1']],
  at: 1_700_000_000,
})

export interface Yard {
  home: string
  user: string
  repository: Repository
  base: string
  /** A path for a workspace or a place. */
  at(name: string): string
}

/** A home of its own for one user repository, with its branch fetched. */
export async function openYard(user: string, branch = 'main'): Promise<Yard> {
  forgetUser()
  const home = temporaryFolder()
  const repositories = openRepositories({ home })
  const repository = await repositories.open(await repositories.find(user))
  const base = await repository.fetchTarget(branch)
  return { home, user, repository, base, at: (name) => join(home, 'work', name) }
}

export async function openStory(yard: Yard, story: string, at = yard.base): Promise<string> {
  const path = yard.at(story)
  await yard.repository.openWorkspace({ path, at, archiveAs: `d1/${story}/1`, stays: 'ignored' })
  return path
}

/** One story from workspace to commit: `work` is what the agent does. */
export async function codeStory(yard: Yard, story: string, work: (workspace: string) => void): Promise<string> {
  const path = await openStory(yard, story)
  work(path)
  const snapshot = await yard.repository.harvest({ path, base: yard.base, message: message(story) })
  return snapshot.commit
}

export const writes =
  (files: Record<string, string | Buffer>) =>
  (workspace: string): void =>
    write(workspace, files)
