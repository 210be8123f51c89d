import type { Recorded } from '../../ports/event-log.ts'
import { oneLine } from '../../std/text/plain-text.ts'
import { eventLine } from '../../views/story/event-line.ts'
import { type Cli, type DeliveryOption, nameIn } from '../cli.ts'
import { whileRead } from '../deliver/interrupt.ts'
import { exitCodes } from '../exit-code.ts'
import { wholeNumber } from '../given.ts'
import { bold, dim, green, red, type ShownLine } from '../show/line.ts'
import { dateText } from '../show/time.ts'

interface LogOptions extends DeliveryOption {
  type?: string[]
  story?: string
  limit: string
  follow?: boolean
  verify?: boolean
}

/** What is on record, newest last. */
export async function logVerb(cli: Cli, given: string[], options: LogOptions): Promise<number> {
  const { desk, screen } = cli
  const name = nameIn(given, options)
  if (options.verify === true) return await verify(cli, name)
  const asked = { types: options.type ?? [], story: options.story, limit: wholeNumber('--limit', options.limit) }
  const print = (recorded: Recorded[]): void => {
    if (screen.json) for (const one of recorded) screen.emit(one)
    else screen.print(...recorded.map(recordedLine))
  }
  const onFound = (recorded: Recorded[], none: string | null): void => {
    print(recorded)
    if (none !== null) screen.warn(none)
  }
  if (options.follow !== true) await desk.events(name, { ...asked, onFound, follow: null })
  else await whileRead((signal) => desk.events(name, { ...asked, onFound, follow: { onEvents: print, signal } }))
  return exitCodes.done
}

export function recordedLine({ at, version, event }: Pick<Recorded, 'at' | 'version' | 'event'>): ShownLine {
  const { story, text } = eventLine(event)
  const about = story === null ? '' : `${story}  `
  return [dim(`${String(version).padStart(5)}  ${dateText(at)}  `), bold(event.type), `  ${about}${oneLine(text)}`]
}

async function verify({ desk, screen }: Cli, name: string | undefined): Promise<number> {
  const { delivery, ...report } = await desk.verifyLog(name)
  screen.show({ delivery, ...report }, () =>
    report.status === 'intact'
      ? [[green('intact'), `  ${report.events} events of ${delivery}, head ${report.head}`]]
      : [
          [
            red('broken'),
            `  ${delivery} at version ${report.version} (position ${report.position}): ${report.problem}`,
          ],
          'The events before it are intact. Export them with `ropewalk export`, or see `ropewalk unlock --salvage`.',
        ],
  )
  return report.status === 'intact' ? exitCodes.done : exitCodes.error
}
