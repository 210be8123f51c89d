import type { DeliveryState } from '../../delivery/state.ts'
import { storyOf } from '../../delivery/state.ts'
import { TerminalError } from '../../ports/errors.ts'
import type { EventLog } from '../../ports/event-log.ts'
import { oneLine } from '../../std/text/plain-text.ts'
import type { DeliveryOption } from '../choose-delivery.ts'
import { chosen } from '../choose-delivery.ts'
import { cyan, green, type Line, red } from '../show/line.ts'
import { readingLines } from '../show/lines/reading-lines.ts'
import type { Cli } from '../world.ts'
import { requireStory } from './why.ts'

const longest = 50_000_000

/** What a story, or the delivery so far, changes. */
export async function diff(cli: Cli, story: string | undefined, options: DeliveryOption): Promise<number> {
  const { log, state } = await chosen(cli, options)
  if (story !== undefined) requireStory(state, story)
  const range = story === undefined ? wholeRange(state) : await storyRange(log, state, story)
  const repository = await (await cli.world.repositories(cli.world.home)).open(state.request!.repository)
  const patch = await repository.patch(range.from, range.to, longest)
  const risk = await cli.world.risk(await repository.diff(range.from, range.to))
  const unnoticed = (story === undefined ? state.order : [story]).flatMap((id) => storyOf(state, id).unnoticed)
  if (cli.screen.json) cli.screen.emit({ delivery: state.id, story: story ?? null, ...range, risk, unnoticed, patch })
  else show(cli, [...unnoticed.map((text) => `Note: ${oneLine(text)}`), ...readingLines(risk)], patch)
  return 0
}

/** Whoever applies the patch passes over what stands before it. */
function show({ screen }: Cli, reading: Line[], patch: string): void {
  screen.print(...reading)
  if (screen.colour) screen.print(...patch.trimEnd().split('\n').map(patchLine))
  else screen.document(patch)
}

interface Range {
  from: string
  to: string
}

function wholeRange(state: DeliveryState): Range {
  const from = state.request!.base
  if (state.line.tip !== from) return { from, to: state.line.tip }
  throw new TerminalError('nothing is on the line yet', 'look at one story: ropewalk diff <story>')
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

function patchLine(line: string): Line {
  if (line.startsWith('+') && !line.startsWith('+++')) return green(line)
  if (line.startsWith('-') && !line.startsWith('---')) return red(line)
  return line.startsWith('@@') ? cyan(line) : line
}
