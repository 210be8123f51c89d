import { resolve } from 'node:path'
import { TerminalError } from '../../ports/errors.ts'
import type { Recorded } from '../../ports/event-log.ts'
import { readText } from '../prepare/requirement.ts'
import type { Cli } from '../world.ts'

/** Takes an exported delivery into this log, under its own id and with its own chain. */
export async function importDelivery({ world, screen, cwd }: Cli, file: string): Promise<number> {
  const lines = (await readText(resolve(cwd, file))).split('\n')
  const events = lines.flatMap((line, index) => (line.trim() === '' ? [] : [recordedIn(line, `${file}:${index + 1}`)]))
  const [first] = events
  if (first === undefined)
    throw new TerminalError(`${file} holds no events`, 'give a file that `ropewalk export` wrote')
  const log = await world.log()
  if ((await log.deliveries(null)).some((row) => row.delivery === first.delivery))
    throw new TerminalError(
      `${first.delivery} is in this log already`,
      `nothing was changed; \`ropewalk status --delivery ${first.delivery}\` shows it`,
    )
  await log.adopt(events)
  if (screen.json) screen.emit({ delivery: first.delivery, events: events.length })
  else
    screen.print(
      `${first.delivery} is here with ${events.length} events: \`ropewalk status --delivery ${first.delivery}\``,
    )
  return 0
}

function recordedIn(line: string, place: string): Recorded {
  const problem = (what: string) => new TerminalError(`${place}: ${what}`, 'give a file that `ropewalk export` wrote')
  let value: Partial<Recorded> | null
  try {
    value = JSON.parse(line)
  } catch {
    throw problem('this is not JSON')
  }
  const whole =
    typeof value?.delivery === 'string' && typeof value.version === 'number' && typeof value.hash === 'string'
  if (!whole || typeof value?.event?.type !== 'string') throw problem('this is not a recorded event')
  return value as Recorded
}
