import type { EventType } from '../../delivery/events.ts'
import { TerminalError } from '../../ports/errors.ts'
import type { EventLog, EventQuery, Recorded } from '../../ports/event-log.ts'
import { oneLine } from '../../std/text/plain-text.ts'
import { eventLine } from '../../views/events/event-line.ts'
import { chooseDelivery, type DeliveryOption } from '../choose-delivery.ts'
import { exitCodes } from '../exit-code.ts'
import { bold, dim, green, type Line, red } from '../show/line.ts'
import { dateText } from '../show/time.ts'
import type { Cli } from '../world.ts'
import { following } from './following.ts'

export interface LogOptions extends DeliveryOption {
  type?: string[]
  story?: string
  limit: string
  follow?: boolean
  verify?: boolean
}

/** What is on record, newest last. */
export async function log(cli: Cli, options: LogOptions): Promise<number> {
  const events = await cli.world.log()
  const { delivery } = await chooseDelivery(cli, events, options.delivery)
  if (options.verify === true) return await verify(cli, events, delivery)
  const query: EventQuery = {
    delivery,
    types: (options.type ?? []) as EventType[],
    story: options.story ?? null,
    after: 0,
    limit: limitOf(options.limit),
    from: 'last',
  }
  const found = await events.query(query)
  show(cli, found)
  if (found.length === 0) cli.screen.warn(await nothingFits(events, query))
  if (options.follow === true) await follow(cli, events, { ...query, after: found.at(-1)?.position ?? 0 })
  return 0
}

/** An empty answer may be a typing error, so it names what would have fitted. */
async function nothingFits(log: EventLog, { delivery, types }: EventQuery): Promise<string> {
  const all = (await log.read(delivery!, 0)).map(({ event }) => event)
  const names = types.length > 0 ? all.map((event) => event.type) : all.flatMap((event) => eventLine(event).story ?? [])
  return `no event fits; on record are: ${[...new Set<string>(names)].join(', ')}`
}

function limitOf(text: string): number {
  const limit = Number(text)
  if (Number.isInteger(limit) && limit > 0) return limit
  throw new TerminalError(`--limit ${text} is not a number of events`, 'give a whole number of at least 1')
}

function show({ screen }: Cli, recorded: Recorded[]): void {
  if (screen.json) for (const one of recorded) screen.emit(one)
  else screen.print(...recorded.map(recordedLine))
}

export function recordedLine({ at, version, event }: Pick<Recorded, 'at' | 'version' | 'event'>): Line {
  const { story, text } = eventLine(event)
  const about = story === null ? '' : `${story}  `
  return [dim(`${String(version).padStart(5)}  ${dateText(at)}  `), bold(event.type), `  ${about}${oneLine(text)}`]
}

async function follow(cli: Cli, log: EventLog, query: EventQuery): Promise<void> {
  let { after } = query
  await following(cli, query.delivery!, async () => {
    const fresh = await log.query({ ...query, after, from: 'first', limit: 1000 })
    after = fresh.at(-1)?.position ?? after
    show(cli, fresh)
    return false
  })
}

async function verify({ screen }: Cli, log: EventLog, delivery: string): Promise<number> {
  const report = await log.verify(delivery)
  if (screen.json) screen.emit({ delivery, ...report })
  else if (report.status === 'intact')
    screen.print([green('intact'), `  ${report.events} events of ${delivery}, head ${report.head}`])
  else
    screen.print(
      [red('broken'), `  ${delivery} at version ${report.version} (position ${report.position}): ${report.problem}`],
      'Events before it are intact. Export them with `ropewalk export`, or see `ropewalk unlock --salvage`.',
    )
  return report.status === 'intact' ? exitCodes.done : exitCodes.error
}
