import type { DeliveryState } from '../../../delivery/state.ts'
import { initialState } from '../../../delivery/state.ts'
import { believing, fold } from '../../../engine/load.ts'
import { TerminalError } from '../../../ports/errors.ts'
import type { Recorded } from '../../../ports/event-log.ts'
import { oneLine } from '../../../std/text/plain-text.ts'
import { statusView } from '../../../views/status.ts'
import { chooseDelivery, type DeliveryOption } from '../../choose-delivery.ts'
import { nextKey } from '../../show/ask.ts'
import { dim, type Line, yellow } from '../../show/line.ts'
import { statusLines } from '../../show/lines/status-lines.ts'
import type { Cli } from '../../world.ts'
import { recordedLine } from '../log.ts'

export interface ReplayOptions extends DeliveryOption {
  at?: string
}

/** Walks through a delivery event by event, with what was true after each; with `--at`, only up to there. */
export async function replay(cli: Cli, options: ReplayOptions): Promise<number> {
  const log = await cli.world.log()
  const { delivery } = await chooseDelivery(cli, log, options.delivery)
  const events = await log.read(delivery, 0)
  if (options.at !== undefined) return showAt(cli, events.slice(0, versionOf(options.at, events.length)))
  const state = initialState(delivery)
  let before = new Map<string, string>()
  for (const recorded of events) {
    fold(state, [recorded])
    const now = believing(recorded, () => wordsOf(state, recorded.at))
    const changed = [...now].filter(([name, word]) => before.get(name) !== word)
    if (cli.screen.json) cli.screen.emit({ ...recorded, changed: Object.fromEntries(changed) })
    else cli.screen.print(recordedLine(recorded), ...changed.map(([name, word]) => changeLine(name, word)))
    before = now
    if (!cli.screen.interactive || recorded === events.at(-1)) continue
    const key = await nextKey('Enter: the next event. s: where it is now. q: enough.')
    if (key === 'q') return 0
    if (key === 's') cli.screen.print(...standing(cli, state, recorded.at))
  }
  return 0
}

function versionOf(text: string, last: number): number {
  const version = Number(text)
  if (Number.isInteger(version) && version >= 1 && version <= last) return version
  throw new TerminalError(
    `--at ${text} is no event of this delivery`,
    `give a number from 1 to ${last}, as \`ropewalk log\` shows them`,
  )
}

function showAt(cli: Cli, events: Recorded[]): number {
  const last = events.at(-1)!
  const state = fold(initialState(last.delivery), events)
  believing(last, () => wordsOf(state, last.at))
  if (cli.screen.json) cli.screen.emit(statusView(state, last.at))
  else cli.screen.print(recordedLine(last), ...standing(cli, state, last.at))
  return 0
}

const standing = ({ screen }: Cli, state: DeliveryState, at: number): Line[] =>
  statusLines(statusView(state, at), { at, driver: null, pulses: [], columns: screen.size().columns })

/** Of the delivery and of each story, where they are. */
function wordsOf(state: DeliveryState, at: number): Map<string, string> {
  const { word, stories } = statusView(state, at)
  return new Map([['', word], ...stories.map(({ story, word: its }): [string, string] => [story, its])])
}

const changeLine = (name: string, word: string): Line => [
  dim(`       ${name === '' ? 'the delivery' : oneLine(name)} is `),
  yellow(word),
]
