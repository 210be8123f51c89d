import type { Recorded } from '../../ports/event-log.ts'
import { oneLine } from '../../std/text/plain-text.ts'
import type { StatusView } from '../../views/status.ts'
import { eventLine } from '../../views/story/event-line.ts'
import { nextKey } from '../answer/ask.ts'
import { exitCodes, whileRead } from '../ending.ts'
import { wholeNumber } from '../given.ts'
import { statusLines } from '../show/delivery-lines.ts'
import { bold, dateText, dim, green, red, type ShownLine, yellow } from '../show/line.ts'
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
  const print = (recorded: Recorded[]): void => {
    if (screen.json) recorded.forEach(screen.emit)
    else screen.print(...recorded.map(recordedLine))
  }
  const onFound = (recorded: Recorded[], none: string | null): void => {
    print(recorded)
    if (none !== null) screen.warn(none)
  }
  const asked = { types, story, limit: wholeNumber('--limit', limit), onFound }
  if (!follow) await desk.events(name, { ...asked, follow: null })
  else await whileRead((signal) => desk.events(name, { ...asked, follow: { onEvents: print, signal } }))
})

function recordedLine({ at, version, event }: Pick<Recorded, 'at' | 'version' | 'event'>): ShownLine {
  const { story, text } = eventLine(event)
  const about = story === null ? '' : `${story}  `
  return [dim(`${String(version).padStart(5)}  ${dateText(at)}  `), bold(event.type), `  ${about}${oneLine(text)}`]
}

async function verify({ desk, screen }: Cli, name: string | undefined): Promise<number> {
  const { delivery, ...report } = await desk.verifyLog(name)
  screen.show({ delivery, ...report }, () => {
    if (report.status === 'intact')
      return [[green('intact'), `  ${report.events} events of ${delivery}, head ${report.head}`]]
    const place = `${delivery} at version ${report.version} (position ${report.position})`
    return [
      [red('broken'), `  ${place}: ${report.problem}`],
      'The events before it are intact. Export them with `ropewalk export`, or see `ropewalk unlock --salvage`.',
    ]
  })
  return report.status === 'intact' ? exitCodes.done : exitCodes.error
}

const replay = {
  says: 'step through a delivery event by event',
  takes: deliveryArgument,
  options: { ...deliveryOption, '--at <number>': 'only show the state after this event' },
}

/** Walks through a delivery event by event, with what was true after each; with `--at`, only up to there. */
export const replayVerb = verb(replay, async (cli, _, options) => {
  const { desk, screen } = cli
  const at = options.at === undefined ? null : wholeNumber('--at', options.at)
  for (const { recorded, changed, isLast, standing } of await desk.replay(options.delivery, at)) {
    if (at !== null) {
      screen.show(standing(), () => [recordedLine(recorded), ...standingLines(cli, standing(), recorded.at)])
      return 0
    }
    const changes = Object.entries(changed).map(([name, word]) => changeLine(name, word))
    screen.show({ ...recorded, changed }, () => [recordedLine(recorded), ...changes])
    if (!screen.interactive || isLast) continue
    const key = await nextKey('Enter: next event. s: the status after it. q: quit.')
    if (key === 'q') return 0
    if (key === 's') screen.print(...standingLines(cli, standing(), recorded.at))
  }
})

const standingLines = ({ screen }: Cli, view: StatusView, at: number): ShownLine[] =>
  statusLines(view, { at, driver: null, pulses: [], columns: screen.size().columns })

const changeLine = (name: string, word: string): ShownLine => [
  dim(`       ${name === '' ? 'the delivery' : oneLine(name)} is `),
  yellow(word),
]
