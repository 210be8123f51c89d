import type { Envelope } from '../../../delivery/events.ts'
import type { DeliveryState } from '../../../delivery/state.ts'
import type { StoryReading } from '../../../views/report/reading.ts'
import type { Cli } from '../../world.ts'

/** Of each story on the line: what of its change to read first. None where the repository is gone. */
export async function readingsOf({ world }: Cli, state: DeliveryState, events: Envelope[]): Promise<StoryReading[]> {
  const laid = new Map(
    events.flatMap(({ event }) => (event.type === 'LineAdvanced' ? [[event.story, event] as const] : [])),
  )
  const repository =
    state.request === null
      ? null
      : await (await world.repositories(world.home)).open(state.request.repository).catch(() => null)
  if (repository === null) return []
  const readings: StoryReading[] = []
  for (const [story, { from, to }] of laid) {
    const changes = await repository.diff(from, to).catch(() => [])
    readings.push({ story, ...(await world.risk(changes)) })
  }
  return readings
}
