import { join } from 'node:path'
import type { CommitId } from '../../../delivery/ids.ts'
import { TerminalError, TransientError } from '../../../ports/errors.ts'
import type { LandResult } from '../../../ports/repository/landings.ts'
import { invariant } from '../../../std/never.ts'
import type { Clone } from '../clone.ts'
import { fallback } from '../commit.ts'
import { isAncestor } from '../history.ts'
import { failedCall } from '../program/failures.ts'
import { userGit } from '../program/run.ts'
import { bring, tipOf } from '../transfer.ts'
import { advance, failingFilter, finish, obstacles } from './advance.ts'
import {
  type BranchMove,
  dropRefLocks,
  type LandedTree,
  type LandingRequest,
  makeDurable,
  rebasing,
  releaseLock,
  takeLock,
  treesOn,
} from './checkouts.ts'
import { isUnfinished } from './survey.ts'

/**
 * First the branch moves, by compare-and-swap, then each checkout of it follows. Meanwhile every such checkout's
 * index.lock is ours and names this landing: git keeps away, and after a kill the next call knows what to finish.
 */
export async function land(clone: Clone, landing: LandingRequest): Promise<LandResult> {
  const [descends, tip, trees] = await Promise.all([
    isAncestor(clone, landing.from, landing.to),
    requireTip(clone, landing.branch),
    treesOn(clone, landing),
  ])
  invariant(descends, `${landing.to} does not descend from ${landing.from}`)
  for (const tree of trees) await settleLeft(clone, tree, tip)
  if (tip === landing.from) return begin(clone, landing, trees)
  return settle(clone, { landing, tip, trees })
}

/** What a landing of another delivery has left, which nobody has come back to. */
async function settleLeft(clone: Clone, { left, ...tree }: LandedTree, tip: CommitId): Promise<void> {
  if (left === null) return
  const theirs: LandedTree = { ...tree, scratch: `${tree.index}.ropewalk-${left.to}`, interrupted: true, left: null }
  await settle(clone, { landing: left, tip, trees: [theirs] })
}

/** A lock that says what we no longer want to do. */
export async function giveUpLanding(clone: Clone, landing: BranchMove): Promise<void> {
  for (const tree of await treesOn(clone, landing)) if (tree.interrupted) await releaseLock(tree, landing)
}

async function begin(clone: Clone, landing: LandingRequest, trees: LandedTree[]): Promise<LandResult> {
  const rebased = await rebasing(clone, landing.branch)
  if (rebased !== null)
    return { status: 'dirty', tip: landing.from, files: ['(a rebase of the branch is in progress)'], worktree: rebased }
  await bring(clone, landing.to)
  const stopped = await moveWhenClean(clone, landing, trees)
  if (stopped !== null) return stopped
  // From here on the locks stay until the work is done: they tell the next call that it is not.
  for (const tree of trees) {
    await advance(tree, landing)
    await releaseLock(tree, landing)
  }
  return { status: 'landed' }
}

/** Null: the branch has moved, and every checkout of it is locked. Otherwise nothing has changed and no lock is held. */
async function moveWhenClean(clone: Clone, landing: LandingRequest, trees: LandedTree[]): Promise<LandResult | null> {
  const locked: LandedTree[] = []
  let keep = false
  try {
    for (const tree of trees) {
      await takeLock(tree, landing)
      locked.push(tree)
      const refused = await refusal(tree, landing)
      if (refused === null) continue
      // The last act of a killed landing may come this late: then these are not changes of the user.
      keep = (await requireTip(clone, landing.branch)) !== landing.from
      return keep ? land(clone, landing) : refused
    }
    requireSame(trees, await treesOn(clone, landing))
    for (const tree of trees) if (tree.interrupted) await dropRefLocks(clone, tree, landing)
    if (trees.length === 0 && landing.begunIn != null) await dropRefLocks(clone, null, landing)
    await landing.begins?.(trees.map(({ path }) => path))
    const tip = await moveBranch(clone, landing, trees)
    keep = tip === landing.to
    return keep ? null : { status: 'moved', tip }
  } finally {
    if (!keep) for (const tree of locked) await releaseLock(tree, landing)
  }
}

async function refusal(tree: LandedTree, landing: BranchMove): Promise<LandResult | null> {
  const where = { tip: landing.from, worktree: tree.path }
  const files = await obstacles(tree, landing)
  if (files.length > 0) return { status: 'dirty', ...where, files }
  const said = await failingFilter(tree, landing)
  return said === null ? null : { status: 'unfiltered', ...where, said }
}

/** The user may have checked out another branch, or this one, until we had the locks. */
function requireSame(before: LandedTree[], now: LandedTree[]): void {
  const paths = (trees: LandedTree[]): string => JSON.stringify(trees.map((tree) => tree.path))
  if (paths(before) !== paths(now)) throw new TransientError('a checkout is just being switched to another branch')
}

/** The branch is not at `from`: we have moved it ourselves, perhaps half-way, or somebody else has. */
async function settle(
  clone: Clone,
  { landing, tip, trees }: { landing: LandingRequest; tip: CommitId; trees: LandedTree[] },
): Promise<LandResult> {
  const contained = tip === landing.to || (await contains(clone.user, landing.to, tip))
  for (const tree of trees) {
    if (!tree.interrupted && !(tip === landing.to && (await isUnlocked(tree, landing)))) continue
    await takeLock(tree, landing)
    await dropRefLocks(clone, tree, landing)
    if (contained) await finish(tree, landing)
    await releaseLock(tree, landing)
  }
  return contained ? { status: 'landed' } : { status: 'moved', tip }
}

/** Begun and not finished, though its lock is gone: git tells people to remove one that is in their way. */
const isUnlocked = async (tree: LandedTree, landing: LandingRequest): Promise<boolean> =>
  landing.begunIn?.includes(tree.path) === true && (await isUnfinished(tree, landing))

async function requireTip(clone: Clone, branch: string): Promise<CommitId> {
  const tip = await tipOf(clone, branch)
  if (tip === null)
    throw new TerminalError(`the branch "${branch}" is gone`, `Make it again (git branch ${branch} …), then resume.`)
  return tip
}

/** Where the branch is afterwards. */
async function moveBranch(clone: Clone, landing: BranchMove, trees: LandedTree[]): Promise<CommitId> {
  const args = ['update-ref', '-m', 'ropewalk: land', '--', `refs/heads/${landing.branch}`, landing.to, landing.from]
  const { name, email } = clone.identity ?? fallback
  const env = { GIT_COMMITTER_NAME: name, GIT_COMMITTER_EMAIL: email }
  const output = await userGit({ args: ['-C', trees[0]?.path ?? clone.user, ...args], env, accept: [1, 128] })
  if (output.code === 0) {
    // A checkout that has followed must find it there, whatever happens.
    await makeDurable(clone.commonDir, [join('refs/heads', landing.branch)])
    return landing.to
  }
  const tip = await requireTip(clone, landing.branch)
  if (tip === landing.from) throw failedCall(args, output)
  // One that died has moved it, and may have kept HEAD locked, which moves with it.
  if (tip === landing.to) for (const tree of trees) await dropRefLocks(clone, tree, landing)
  return tip
}

/** An id that the user's repository does not know is contained in nothing there. */
async function contains(folder: string, commit: CommitId, tip: CommitId): Promise<boolean> {
  const args = ['-C', folder, 'merge-base', '--is-ancestor', commit, tip]
  return (await userGit({ args, accept: [1, 128] })).code === 0
}
