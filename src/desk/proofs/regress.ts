import { load } from '../../engine/load.ts'
import type { Point, RunBegun, RunTold, Search } from '../../ports/proofs/regression.ts'
import { toPolicy } from '../../settings/policy.ts'
import { freeGoneSearches } from '../gc/searches.ts'
import { requireHome } from '../prepare/home.ts'
import { factsHere, readEverything } from '../prepare/settings-layers.ts'
import type { Visit } from '../world.ts'
import { checksOf, endsOf, namedFiles, noStories, type RegressOptions } from './regress-request.ts'
import { type Culprit, type RegressionView, regressionView } from './regression-view.ts'

export interface RegressAsked extends RegressOptions {
  range: string | undefined
  signal: AbortSignal
  onStart(run: RunBegun): void
  /** `command`: what the check runs. */
  onRun(run: RunTold, command: string): void
}

/** With which story a check became red, and whether reverting it would help. Null: interrupted. */
export async function regress(visit: Visit, asked: RegressAsked): Promise<RegressionView | null> {
  const { world, folder } = visit
  const { range, signal } = asked
  requireHome(world.home)
  await freeGoneSearches(visit)
  const { repository, layered } = await readEverything(visit, {}, world.home)
  const { settings, target, base } = layered
  const checks = checksOf(settings.checks, asked)
  const user = await (await world.repositories(world.home)).look(folder)
  const ends = await endsOf(user, { range, since: asked.since, tip: base })
  const regression = await world.regression(folder)
  const course = await regression.course(ends)
  if (course.length === 0) throw noStories(user, range ?? target)
  const files = asked.run === undefined ? [] : await namedFiles(repository.path, asked.run)
  const overlay = await regression.laidOver({ tip: ends.tip, files })
  const policy = toPolicy({ ...settings, target }, factsHere(target, true))
  for (const { path } of overlay)
    visit.hear({ kind: 'note', text: `Every commit is tried with ${path} as it is in your checkout.` })
  const commands = new Map(checks.map(({ name, run }) => [name, run]))
  const onRun = (run: RunTold) => asked.onRun(run, commands.get(run.check) ?? '')
  const search = regression.search({ course, checks, policy, overlay, signal, onStart: asked.onStart, onRun })
  const [found] = await Promise.allSettled([search])
  if (signal.aborted) return null
  if (found.status === 'rejected') throw found.reason
  return regressionView(found.value, { target, course, culprit: await culpritOf(visit, found.value) })
}

/** What the log of this machine knows of the story. */
async function culpritOf({ world }: Visit, found: Search): Promise<Culprit | null> {
  if (found.status !== 'found') return null
  const { delivery, story } = found.at.story as NonNullable<Point['story']>
  const log = await world.log()
  const known = (await log.deliveries(null)).some((row) => row.delivery === delivery)
  const state = known ? await load(log, delivery) : null
  const of = state?.stories[story]
  return {
    ...{ delivery, story, title: of?.spec.title ?? found.commits.at(-1)!.subject },
    ...{ agent: of?.coder ?? null, requirement: state?.request?.requirement.text ?? null },
  }
}
