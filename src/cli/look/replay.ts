import { oneLine } from '../../std/text/plain-text.ts'
import type { StatusView } from '../../views/status.ts'
import { nextKey } from '../answer/ask.ts'
import { wholeNumber } from '../given.ts'
import { dim, type ShownLine, yellow } from '../show/line.ts'
import { statusLines } from '../show/lines/status-lines.ts'
import { type Cli, deliveryArgument, deliveryOption, verb } from '../verb.ts'
import { recordedLine } from './log.ts'

const words = {
  says: 'step through a delivery event by event',
  takes: deliveryArgument,
  options: { ...deliveryOption, '--at <number>': 'only show the state after this event' },
}

/** Walks through a delivery event by event, with what was true after each; with `--at`, only up to there. */
export const replayVerb = verb(words, async (cli, _, options) => {
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
  return 0
})

const standingLines = ({ screen }: Cli, view: StatusView, at: number): ShownLine[] =>
  statusLines(view, { at, driver: null, pulses: [], columns: screen.size().columns })

const changeLine = (name: string, word: string): ShownLine => [
  dim(`       ${name === '' ? 'the delivery' : oneLine(name)} is `),
  yellow(word),
]
