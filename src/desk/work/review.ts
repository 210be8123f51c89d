import type { DeliveryState } from '../../delivery/state.ts'
import { TerminalError } from '../../ports/errors.ts'
import { settingsGaps } from '../../settings/references.ts'
import { type ReviewView, reviewView } from '../../views/review/review-view.ts'
import { staff } from '../agents/staff.ts'
import { requireHome } from '../prepare/home.ts'
import { withWholePath } from '../prepare/prompts.ts'
import { freshDeliveryId, putRequest } from '../prepare/request.ts'
import { factsHere, type Layered, readEverything } from '../prepare/settings-layers.ts'
import { meanwhile, type Visit } from '../world.ts'
import { rangeOf, trunkFor } from './subject.ts'

export interface ReviewAsked {
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
  for (const text of [...layered.warnings, ...range.notes]) visit.hear({ kind: 'note', text })
  const { vantagesFor } = await import('../../proof/review/vantages.ts')
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
async function policyFor(visit: Visit, layered: Layered, root: string) {
  const gaps = settingsGaps(layered.settings).filter(({ key }) => key !== 'checks')
  if (gaps.length > 0)
    throw new TerminalError(
      gaps.map((gap) => `${gap.key}: ${gap.message}`).join('\n'),
      'run `ropewalk init`, or add it to ropewalk.yaml',
    )
  const settings = { ...layered.settings, target: layered.target }
  const facts = factsHere(layered.target, !visit.attended)
  const trying = staff(visit.world, settings, { facts, planned: true, root })
  const { policy } = await meanwhile(visit, 'Trying the agents …', trying)
  if (policy.review.reviewers.some(({ agents }) => agents.length > 0)) return policy
  throw new TerminalError('no agent is there to review', 'name reviewers under review.reviewers in ropewalk.yaml')
}

/** The review as it stands; null where the delivery is no review. */
export async function review({ world }: Visit, state: DeliveryState): Promise<ReviewView | null> {
  const subject = state.request?.review
  if (state.request == null || subject == null) return null
  const repository = await (await world.repositories(world.home)).open(state.request.repository)
  const { coreOf } = await import('../../proof/review/risk.ts')
  return reviewView(state, coreOf(await repository.diff(subject.base, subject.commit)))
}
