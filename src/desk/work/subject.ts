import type { ReviewSubject } from '../../delivery/review/review.ts'
import { TerminalError } from '../../ports/errors.ts'
import type { UserRepository } from '../../ports/proofs/user-repository.ts'
import type { Checkout, Repository } from '../../ports/repository.ts'
import { nearest } from '../../std/nearest.ts'
import { shortId } from '../../views/step-text.ts'

export interface Places {
  user: UserRepository
  clone: Repository
  checkout: Checkout
  target: string
}

export interface Named {
  what: string
  base: string | undefined
}

/** What is to be reviewed, by its commits: what it has that its base lacks. */
export type Range = Pick<ReviewSubject, 'base' | 'commit' | 'tree'> & { title: string; notes: string[] }

/** A branch, a range with two dots, a commit, or the number of a pull request. */
export async function rangeOf(places: Places, { what, base }: Named): Promise<Range> {
  const { clone } = places
  const range = /^(.*?[^.])\.{2,3}([^.].*)?$/.exec(what)
  if (range !== null && base !== undefined)
    throw new TerminalError('a range and --base cannot be used together', 'give one of them')
  const pull = /^[#!]?(\d{1,9})$/.exec(what)
  const isPull = range === null && pull !== null && (await places.user.commits(what)) === null
  const commit = isPull
    ? await clone.fetchPull(Number(pull[1]))
    : await commitNamed(places, range?.[2] ?? (range === null ? what : 'HEAD'))
  const from = await commitNamed(places, range?.[1] ?? base ?? places.target)
  const title = isPull ? `pull request ${pull[1]}` : what
  const common = await clone.mergeBase(from, commit)
  if (common === null)
    throw new TerminalError(
      `${title} and ${range?.[1] ?? base ?? places.target} have no commit in common`,
      places.user.shallow
        ? 'this clone is shallow: `git fetch --unshallow` brings the rest of its history'
        : 'name where it began: --base <commit>',
    )
  const tree = await clone.treeOf(commit)
  if (tree === (await clone.treeOf(common)))
    throw new TerminalError(
      `there is nothing to review: ${title} changes nothing since ${shortId(common)}`,
      'commit the work first, name another branch or range, or name with --base where it began',
    )
  return { base: common, commit, tree, title, notes: notesOf(places, { commit, from, common }) }
}

/**
 * What is checked out itself did not begin at its own branch, and without a branch there is nothing to go by: then the
 * one is meant that all others leave. Null: what is checked out.
 */
export function trunkFor({ branch, branches }: Checkout, what: string): string | null {
  if (branch !== null && what !== 'HEAD' && what !== branch) return null
  const trunk = trunks.find((name) => name !== branch && branches.includes(name)) ?? null
  if (branch !== null || trunk !== null) return trunk
  throw new TerminalError(
    `HEAD is detached, and this repository has no branch ${trunks.join(', ')}`,
    'set target in ropewalk.yaml, or make the branch: `git branch main origin/main`',
  )
}

const trunks = ['main', 'master', 'trunk', 'develop']

function notesOf(
  { checkout }: Places,
  { commit, from, common }: { commit: string; from: string; common: string },
): string[] {
  return [
    ...(checkout.head === commit && checkout.dirtyFiles.length > 0
      ? ['what is not committed in the checkout is not looked at']
      : []),
    ...(from === common ? [] : [`the base has moved on since; what is reviewed began at ${shortId(common)}`]),
  ]
}

async function commitNamed({ user, clone, checkout }: Places, revision: string): Promise<string> {
  const found = revision.trim() === '' || revision.startsWith('-') ? null : await user.commits(revision)
  const [commit] = found ?? []
  if (commit !== undefined) {
    await clone.fetchCommit(commit)
    return commit
  }
  const meant = nearest(revision, checkout.branches)
  throw new TerminalError(
    `this repository knows no "${revision}"`,
    meant === null
      ? 'name a branch, a commit, a range such as main..topic, or the number of a pull request'
      : `did you mean ${meant}?`,
  )
}
