import type { CheckPolicy } from '../../../delivery/policy.ts'
import { load } from '../../../engine/load.ts'
import type { Point, Search } from '../../../ports/proofs/regression.ts'
import { toPolicy } from '../../../settings/policy.ts'
import { oneLine } from '../../../std/text/plain-text.ts'
import { onInterrupt } from '../../deliver/interrupt.ts'
import { exitCodes } from '../../exit-code.ts'
import { freeGoneSearches } from '../../manage/gc/searches.ts'
import { factsHere } from '../../prepare/facts.ts'
import { requireHome } from '../../prepare/home.ts'
import { readEverything } from '../../prepare/preflight.ts'
import { dim, yellow } from '../../show/line.ts'
import { begunText, regressionLines, runLine } from '../../show/lines/regression-lines.ts'
import { openRedraw } from '../../show/redraw.ts'
import type { Cli } from '../../world.ts'
import { checksOf, endsOf, namedFiles, noStories, type RegressOptions, refuseBoth } from './regress-request.ts'
import type { Culprit } from './regression-view.ts'
import { regressionView } from './regression-view.ts'

/** With which story a check became red, and whether reverting it would help. */
export async function regress(cli: Cli, range: string | undefined, options: RegressOptions): Promise<number> {
  refuseBoth(range, options)
  requireHome(cli.world.home)
  await freeGoneSearches(cli)
  const { repository, layered } = await readEverything(cli, {}, cli.world.home)
  const { settings, target, base } = layered
  const checks = checksOf(settings.checks, options)
  const user = await (await cli.world.repositories(cli.world.home)).look(cli.cwd)
  const ends = await endsOf(user, { range, since: options.since, tip: base })
  const regression = await cli.world.regression(cli.cwd)
  const course = await regression.course(ends)
  if (course.length === 0) throw noStories(user, range ?? target)
  const files = options.run === undefined ? [] : await namedFiles(repository.path, options.run)
  const overlay = await regression.laidOver({ tip: ends.tip, files })
  const policy = toPolicy({ ...settings, target }, factsHere(target, true))
  for (const { path } of overlay) tell(cli, `Every commit is tried with ${path} as it is in your checkout.`)
  const found = await searched(cli, checks, (how) => regression.search({ course, checks, policy, overlay, ...how }))
  if (found === null) return exitCodes.operator
  const view = regressionView(found, { target, course, culprit: await culpritOf(cli, found) })
  if (cli.screen.json) cli.screen.emit(view)
  else cli.screen.print(...regressionLines(view))
  return found.status === 'green' ? exitCodes.done : exitCodes.human
}

function tell({ screen }: Cli, text: string): void {
  if (!screen.json) screen.print(dim(text))
}

type How = Pick<
  Parameters<Awaited<ReturnType<Cli['world']['regression']>>['search']>[0],
  'signal' | 'onStart' | 'onRun'
>

/** Each run is told when it ends, and on a terminal while it goes on. Null: interrupted. */
async function searched(
  { screen }: Cli,
  checks: CheckPolicy[],
  search: (how: How) => Promise<Search>,
): Promise<Search | null> {
  const commands = new Map(checks.map(({ name, run }) => [name, oneLine(run, 200)]))
  const redraw = screen.redraws ? openRedraw(screen) : null
  const interrupt = onInterrupt({
    first: () => redraw?.draw([yellow('Interrupted: ending what is running.')]),
    again: () => process.exit(exitCodes.operator),
  })
  const how: How = {
    signal: interrupt.signal,
    onStart: (run) => redraw?.draw([dim(begunText(run))]),
    onRun: (run) => {
      redraw?.draw([])
      if (screen.json) return
      if (run.number === 1 && !run.again) screen.print(dim(`${run.check}: ${commands.get(run.check)}`))
      screen.print(runLine(run))
    },
  }
  const [end] = await Promise.allSettled([search(how)])
  redraw?.draw([])
  interrupt.close()
  if (interrupt.signal.aborted) return null
  if (end.status === 'rejected') throw end.reason
  return end.value
}

/** What the log of this machine knows of the story. */
async function culpritOf({ world }: Cli, found: Search): Promise<Culprit | null> {
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
