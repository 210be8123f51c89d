import type { ReviewSubject } from '../../delivery/review/review.ts'
import type { DeliveryState } from '../../delivery/state.ts'
import { TerminalError } from '../../ports/errors.ts'
import type { UserRepository } from '../../ports/proofs/user-repository.ts'
import type { Checkout, Repository } from '../../ports/repository/repository.ts'
import { nearest } from '../../std/nearest.ts'
import { type ReviewView, reviewView } from '../../views/report/review.ts'
import { shortId } from '../../views/step-text.ts'
import { refuseGaps, staffHere, withWholePath } from '../prepare/preflight.ts'
import { freshDeliveryId, putRequest } from '../prepare/request.ts'
import { type LayeredSettings, readEverything, requireHome } from '../prepare/settings-layers.ts'
import { commitOf, shallowRemedy } from '../proofs/verify.ts'
import { meanwhile, tellAll, type Visit } from '../world.ts'

interface ReviewAsked {
  /** A branch, a commit, a range, or the number of a pull request. */
  what: string
  /** Where the work began; undefined: where it left the target. */
  base: string | undefined
  /** What it was to do; empty: nobody said it. */
  description: string
  criteria: string[]
}

/** Requests a review of work that is there already, as a delivery of its own that changes nothing. */
export async function requestReview(
  visit: Visit,
  { what, base, description, criteria }: ReviewAsked,
): Promise<{ delivery: string; base: string; commit: string }> {
  const { world } = visit
  requireHome(world.home)
  const { repository, checkout, layered } = await readEverything(
    visit,
    { otherwise: (found) => trunkFor(found, what) },
    world.home,
  )
  const repositories = await world.repositories(world.home)
  const clone = await repositories.open(repository)
  const places = { checkout, target: layered.target, clone, user: await repositories.look(visit.folder) }
  const range = await meanwhile(visit, 'Looking at what is to be reviewed …', rangeOf(places, { what, base }))
  const policy = withWholePath(await policyFor(visit, layered, repository.path))
  tellAll(visit, { warnings: [], notes: [...layered.warnings, ...range.notes] })
  const { vantagesFor } = await import('../../proof/review/risk.ts')
  const calls = vantagesFor(await clone.diff(range.base, range.commit)).map(({ vantage }) => vantage)
  const { commit, tree, title } = range
  const delivery = await putRequest(visit, {
    delivery: freshDeliveryId(`review ${title}`),
    wanted: { text: `Review ${title}`, source: 'command line' },
    ...{ repository, base: range.base, policy, plan: null },
    review: { base: range.base, commit, tree, title, description, criteria, calls },
  })
  return { delivery, base: range.base, commit }
}

/** Nothing is made and nothing is proven: only reviewers are needed. */
async function policyFor(visit: Visit, layered: LayeredSettings, root: string) {
  refuseGaps(layered, ({ key }) => key !== 'checks')
  const settings = { ...layered.settings, target: layered.target }
  const { policy } = await staffHere(visit, settings, { unattended: !visit.attended, planned: true, root })
  if (policy.review.reviewers.some(({ agents }) => agents.length > 0)) return policy
  throw new TerminalError('no agent is there to review', 'name reviewers under review.reviewers in ropewalk.yaml')
}

/** The review as it stands; null where the delivery is no review. */
export async function reviewOf({ world }: Visit, state: DeliveryState): Promise<ReviewView | null> {
  const subject = state.request?.review
  if (state.request == null || subject == null) return null
  const repository = await (await world.repositories(world.home)).open(state.request.repository)
  const { coreOf } = await import('../../proof/review/risk.ts')
  return reviewView(state, coreOf(await repository.diff(subject.base, subject.commit)))
}

interface ReviewPlaces {
  user: UserRepository
  clone: Repository
  checkout: Checkout
  target: string
}

interface RangeNamed {
  what: string
  base: string | undefined
}

/** What is to be reviewed, by its commits: what it has that its base lacks. */
type ReviewRange = Pick<ReviewSubject, 'base' | 'commit' | 'tree'> & { title: string; notes: string[] }

/** A branch, a range with two dots, a commit, or the number of a pull request. */
async function rangeOf(places: ReviewPlaces, { what, base }: RangeNamed): Promise<ReviewRange> {
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
      places.user.shallow ? shallowRemedy : 'name where it began: --base <commit>',
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
function trunkFor({ branch, branches }: Checkout, what: string): string | null {
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
  { checkout }: ReviewPlaces,
  { commit, from, common }: { commit: string; from: string; common: string },
): string[] {
  return [
    ...(checkout.head === commit && checkout.dirtyFiles.length > 0
      ? ['uncommitted changes in the checkout are not reviewed']
      : []),
    ...(from === common ? [] : [`the base has moved on; the reviewed work began at ${shortId(common)}`]),
  ]
}

async function commitNamed({ user, clone, checkout }: ReviewPlaces, revision: string): Promise<string> {
  const meant = nearest(revision, checkout.branches)
  const kinds = 'name a branch, a commit, a range such as main..topic, or the number of a pull request'
  const commit = await commitOf(user, revision, meant === null ? kinds : `did you mean ${meant}?`)
  await clone.fetchCommit(commit)
  return commit
}
