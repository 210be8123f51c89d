import type { Recorded } from '../../ports/event-log.ts'
import { oneLine } from '../../std/text/plain-text.ts'
import { eventLine } from '../../views/story/event-line.ts'
import { whileRead } from '../deliver/interrupt.ts'
import { exitCodes } from '../exit-code.ts'
import { wholeNumber } from '../given.ts'
import { bold, dim, green, red, type ShownLine } from '../show/line.ts'
import { dateText } from '../show/time.ts'
import { type Cli, deliveryArgument, deliveryOption, verb } from '../verb.ts'

const words = {
  says: 'list the recorded events, the newest last',
  takes: deliveryArgument,
  options: {
    ...deliveryOption,
    '--type <types...>': 'only events of these types',
    '--story <story>': 'only events of this story',
    '--limit <count>': 'show the newest <count> (default: 50)',
    '--follow': 'keep printing new events',
    '--verify': 'check the hash chain instead',
  },
}

/** What is on record, newest last. */
export const logVerb = verb(words, async (cli, _, options) => {
  const { desk, screen } = cli
  const { delivery: name, type: types = [], story, limit = '50', follow } = options
  if (options.verify) return await verify(cli, name)
  const asked = { types, story, limit: wholeNumber('--limit', limit) }
  const print = (recorded: Recorded[]): void => {
    if (screen.json) for (const one of recorded) screen.emit(one)
    else screen.print(...recorded.map(recordedLine))
  }
  const onFound = (recorded: Recorded[], none: string | null): void => {
    print(recorded)
    if (none !== null) screen.warn(none)
  }
  if (!follow) await desk.events(name, { ...asked, onFound, follow: null })
  else await whileRead((signal) => desk.events(name, { ...asked, onFound, follow: { onEvents: print, signal } }))
  return exitCodes.done
})

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
