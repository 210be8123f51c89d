import type { Envelope } from '../../delivery/events.ts'
import { type DeliveryState, storyOf } from '../../delivery/state.ts'
import { load } from '../../engine/load.ts'
import { TerminalError } from '../../ports/errors.ts'
import type { EventLog } from '../../ports/event-log.ts'
import { nearest } from '../../std/nearest.ts'
import type { StoryReading } from '../../views/report/internal.ts'
import { type ReportView, reportView } from '../../views/report/report.ts'
import { type WhyView, whyView } from '../../views/status.ts'
import { chooseDelivery, chosen } from '../choose-delivery.ts'
import type { Visit } from '../world.ts'

/** Where a story is and how it came there. */
export async function why(visit: Visit, name: string | undefined, story: string): Promise<WhyView> {
  const { log, state } = await chosen(visit, name)
  requireStory(state, story)
  return whyView(state, story, await log.read(state.id, 0))
}

export function requireStory(state: DeliveryState, story: string): void {
  if (state.stories[story] !== undefined) return
  const meant = nearest(story, state.order)
  const others = '; name another delivery with -d <id> (ropewalk status --all lists them)'
  const remedy = meant === null ? `stories: ${state.order.join(', ') || 'none yet'}${others}` : `did you mean ${meant}?`
  throw new TerminalError(`there is no story ${story} in ${state.id}`, remedy)
}

interface Range {
  from: string
  to: string
}

const longest = 50_000_000

/** What a story, or the delivery so far, changes, and what of it to read first. */
export async function showDiff(visit: Visit, name: string | undefined, story: string | undefined) {
  const { log, state } = await chosen(visit, name)
  if (story !== undefined) requireStory(state, story)
  const range = story === undefined ? wholeRange(state) : await storyRange(log, state, story)
  const repository = await (await visit.world.repositories(visit.world.home)).open(state.request!.repository)
  const { riskOf } = await import('../../proof/review/risk.ts')
  return {
    ...{ delivery: state.id, story: story ?? null, ...range },
    risk: riskOf(await repository.diff(range.from, range.to)),
    unnoticed: (story === undefined ? state.order : [story]).flatMap((id) => storyOf(state, id).thisAttempt.unnoticed),
    patch: await repository.patch(range.from, range.to, longest),
  }
}

function wholeRange(state: DeliveryState): Range {
  const from = state.request!.base
  if (state.line.tip !== from) return { from, to: state.line.tip }
  throw new TerminalError('no story is finished yet', 'look at one story: ropewalk diff <story>')
}

/** As it is on the line, else as it was coded last. */
async function storyRange(log: EventLog, state: DeliveryState, id: string): Promise<Range> {
  const { control, judged } = storyOf(state, id)
  if (control.status === 'joined' || control.status === 'merged') {
    const types = ['LineAdvanced' as const]
    const [joined] = await log.query({ delivery: state.id, types, story: id, after: 0, limit: 1, from: 'last' })
    if (joined?.event.type === 'LineAdvanced') return { from: joined.event.from, to: joined.event.to }
  }
  if ('commit' in control && 'base' in control) return { from: control.base, to: control.commit }
  if (control.status === 'coding' && control.from !== control.base) return { from: control.base, to: control.from }
  if (judged !== null) return { from: judged.base, to: judged.commit }
  throw new TerminalError(`${id} has no commit yet (${control.status})`, `see \`ropewalk why ${id}\``)
}

/** What a delivery brought. `readings`: with what of each change to read first. */
export async function reportOn(
  visit: Visit,
  name: string | undefined,
  { internal, readings: wanted }: { internal: boolean; readings: boolean },
): Promise<ReportView> {
  const log = await visit.world.log()
  const { delivery } = await chooseDelivery(visit, log, name)
  const [state, events] = await Promise.all([load(log, delivery), log.read(delivery, 0)])
  const readings = wanted ? await readingsOf(visit, state, events) : []
  return reportView(state, events, { at: Date.now(), internal, readings })
}

/** Of each story on the line. None where the repository is gone. */
async function readingsOf({ world }: Visit, state: DeliveryState, events: Envelope[]): Promise<StoryReading[]> {
  const laid = new Map(
    events.flatMap(({ event }) => (event.type === 'LineAdvanced' ? [[event.story, event] as const] : [])),
  )
  const repository =
    state.request === null
      ? null
      : await (await world.repositories(world.home)).open(state.request.repository).catch(() => null)
  if (repository === null) return []
  const { riskOf } = await import('../../proof/review/risk.ts')
  const readings: StoryReading[] = []
  for (const [story, { from, to }] of laid) {
    const changes = await repository.diff(from, to).catch(() => [])
    readings.push({ story, ...riskOf(changes) })
  }
  return readings
}
