import type { CommitId } from '../../../delivery/ids.ts'
import { TerminalError } from '../../../ports/errors.ts'
import { type Clone, inClone } from '../clone.ts'
import { asCommit } from '../commit.ts'
import { readRef } from '../refs.ts'
import { bulkTimeoutMs, type GitOutput, lineOf, userGit } from '../run.ts'

/** Null: the two have nothing in common. */
export async function mergeBase(clone: Clone, one: CommitId, other: CommitId): Promise<CommitId | null> {
  const args = ['merge-base', asCommit(one), asCommit(other)]
  return lineOf(await inClone(clone, args, { accept: [1] })) || null
}

/** Where forges keep what is proposed: GitHub, Gitea and others; GitLab. */
const places = (number: number): string[] => [`refs/pull/${number}/head`, `refs/merge-requests/${number}/head`]

/** From the remote of the user's repository into our clone; theirs is only asked for the address. */
export async function fetchPull(clone: Clone, number: number): Promise<CommitId> {
  const address = await remoteOf(clone)
  for (const place of places(number)) {
    const ours = `refs/ropewalk/pull/${number}`
    const fetched = await fetchedBy(clone, { address, refspec: `+${place}:${ours}` })
    if (fetched.code === 0) return (await readRef(clone, ours))!
    if (/couldn't find remote ref/i.test(fetched.stderr)) continue
    throw new TerminalError(
      `${shown(address)} cannot be asked for pull request ${number}: ${without(fetched.stderr, address)}`,
      'See that `git fetch` works in this repository, then try again.',
    )
  }
  throw new TerminalError(
    `${shown(address)} has no pull request ${number}`,
    'Give the number of an open one, or name its branch.',
  )
}

function fetchedBy(clone: Clone, { address, refspec }: { address: string; refspec: string }): Promise<GitOutput> {
  const silent = ['--quiet', '--no-tags', '--no-write-fetch-head', '--update-shallow', '--no-recurse-submodules']
  const args = ['--git-dir', clone.gitDir, 'fetch', ...silent, '--no-auto-maintenance', '--', address, refspec]
  const env = Object.fromEntries(reaching.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])))
  // An address may be a path that is meant from where the user's repository is.
  return userGit({ args, cwd: clone.user, env, timeoutMs: bulkTimeoutMs, accept: [1, 128] })
}

/** What git needs to reach others. */
const reaching = [
  'SSH_AUTH_SOCK',
  'GIT_SSH_COMMAND',
  'GIT_SSH',
  'GIT_ASKPASS',
  'https_proxy',
  'HTTPS_PROXY',
  'no_proxy',
]

async function remoteOf({ user }: Clone): Promise<string> {
  const names = lineOf(await userGit({ args: ['-C', user, 'remote'] }))
    .split('\n')
    .filter(Boolean)
  const name = ['upstream', 'origin'].find((one) => names.includes(one)) ?? names[0]
  if (name === undefined)
    throw new TerminalError(
      'this repository has no remote, so it has no pull requests',
      'Name a branch or a range instead, such as main..topic.',
    )
  return lineOf(await userGit({ args: ['-C', user, 'remote', 'get-url', '--', name] }))
}

/** An address may hold a password. */
const shown = (address: string): string => address.replace(/^([a-z+]+:\/\/)[^/@]*@/i, '$1')

const without = (said: string, address: string): string =>
  said.replaceAll(address, shown(address)).trim().slice(0, 1_000)
