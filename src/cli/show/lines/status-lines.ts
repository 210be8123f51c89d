import type { Leaving } from '../../../desk/gc/keep.ts'
import type { Lease } from '../../../ports/event-log.ts'
import type { Pulse } from '../../../ports/pulses.ts'
import { oneLine } from '../../../std/text/plain-text.ts'
import { absenceText, type StatusView } from '../../../views/status.ts'
import { counted, shortId } from '../../../views/step-text.ts'
import { sourceText } from '../../../views/story/intent-view.ts'
import { dim, type ShownLine, yellow } from '../line.ts'
import { graphLines } from './graph-lines.ts'
import { questionLines } from './question-lines.ts'

interface Around {
  at: number
  driver: Lease | null
  pulses: Pulse[]
  columns: number
}

/** The graph, who drives it, what is asked, what gives concern. */
export function statusLines(view: StatusView, { at, driver, pulses, columns }: Around): ShownLine[] {
  return [
    ...graphLines(view, at, { columns, pulses, rows: Number.POSITIVE_INFINITY }),
    ...view.absences.flatMap(({ until, remedy }) => (until === null ? [dim(`  → ${oneLine(remedy)}`)] : [])),
    ...(view.reason === '' || isTold(view) ? [] : [yellow(`  ${oneLine(view.reason)}`)]),
    dim(`  ${view.delivery} on ${view.target} of ${view.repository}, from ${shortId(view.base)}`),
    ...(view.byExitCode.length === 0 ? [] : [dim(`  judged by exit code alone: ${view.byExitCode.join(', ')}`)]),
    ...sourceLines(view),
    ...intentLines(view),
    ...driverLine(view, driver),
    ...questionLines(view.questions),
    ...view.concerns.slice(0, 10).map((text): ShownLine => [yellow('  concern: '), oneLine(text)]),
    ...(view.concerns.length > 10 ? [dim(`  … and ${view.concerns.length - 10} more (--json)`)] : []),
    ...nextLines(view, driver),
  ]
}

/** What of ended deliveries will be removed soon. */
export function leavingLines(found: Leaving[]): ShownLine[] {
  if (found.length === 0) return []
  const what = found.map((one) => counted(one.count, one.what)).join(', ')
  const how = '`ropewalk gc` lists them, and `gc --yes` after that removes them (keep.* in your user file)'
  return [dim(`  kept for long enough, now or within a week: ${what}; ${how}`)]
}

/** Whether the reason is that an agent is away, which has been said of the agent. */
const isTold = ({ reason, absences }: StatusView): boolean =>
  absences.some((one) => one.until === null && reason.startsWith(absenceText(one, String)))

/** Beside what the questions and the line about the driver have said. */
function nextLines({ questions, endedAt, imported, next }: StatusView, driver: Lease | null): ShownLine[] {
  if (questions.length > 0 || (endedAt === null && driver === null && !imported)) return []
  return next.map((command) => [dim('  next: '), command])
}

/** What the requirement points to, and whether that was read. */
const sourceLines = ({ sources }: StatusView): ShownLine[] => [
  ...sources.slice(0, 5).map((one): ShownLine => dim(`  ${oneLine(sourceText(one), 300)}`)),
  ...(sources.length > 5 ? [dim(`  … and ${sources.length - 5} more sources (--json)`)] : []),
]

/** What it is taken to mean, and what speaks against that. */
function intentLines({ intent }: StatusView): ShownLine[] {
  if (intent?.meaning == null) return []
  const { meaning, dissents, unknown } = intent
  return [
    [dim('  meant: '), oneLine(meaning.summary, 400), dim(`  (${oneLine(meaning.because || meaning.by, 200)})`)],
    ...dissents.slice(0, 3).map((text): ShownLine => dim(`    read otherwise: ${oneLine(text, 300)}`)),
    ...unknown.slice(0, 3).map((text): ShownLine => dim(`    nobody could tell: ${oneLine(text, 300)}`)),
  ]
}

function driverLine(view: StatusView, driver: Lease | null): ShownLine[] {
  if (view.imported) return [yellow('  imported from a file, to be looked at: nothing of it runs')]
  if (view.endedAt !== null) return []
  if (driver === null) return [dim('  no process is driving it: `ropewalk resume` continues it')]
  return [dim(`  driven by process ${driver.pid} on ${driver.host}`)]
}
