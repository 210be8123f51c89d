import { oneLine } from '../../../std/text/plain-text.ts'
import type { InboxItem } from '../../../views/questions/inbox.ts'
import type { WaitView } from '../../../views/status.ts'
import { counted } from '../../../views/step-text.ts'
import type { Line } from '../line.ts'
import { bold, dim } from '../line.ts'
import { waitLines } from './graph-lines.ts'
import { deadlineLines, evidenceLines, questionLines } from './question-lines.ts'

/** What waits for a human, with how to answer it; reading it answers nothing. */
export function inboxLines(items: InboxItem[]): Line[] {
  if (items.length === 0) return ['Nothing waits for you.']
  const deliveries = new Set(items.map(({ delivery }) => delivery)).size
  return [
    ...items.flatMap((item, index) => [...(index === 0 ? [] : ['']), ...itemLines(item)]),
    '',
    dim(`${counted(items.length, 'question')} of ${counted(deliveries, 'delivery', 'deliveries')}.`),
    dim('All in one go: ropewalk inbox --ask, or ropewalk inbox --form > answers.yaml and --answer answers.yaml'),
  ]
}

/** What needs no answer, but perhaps a hand: a file that is in the way, a limit that was reached. */
export const waitingLines = (waiting: { delivery: string; waits: WaitView[] }[], at: number): Line[] =>
  waiting.flatMap(({ delivery, waits }) => (waits.length === 0 ? [] : [bold(delivery), ...waitLines(waits, at)]))

const itemLines = (item: InboxItem): Line[] => [
  ...placeLines(item),
  ...questionLines([{ ...item.question, evidence: item.evidence.join('\n') }], item.delivery),
]

/** What comes before a question that is put there and then, which brings its own text and options. */
export const beforeAsking = (item: InboxItem): Line[] => [
  ...placeLines(item),
  ...evidenceLines(item.evidence.join('\n')),
  ...deadlineLines({ ...item.question, evidence: '' }),
]

const placeLines = ({ delivery, requirement, repository }: InboxItem): Line[] => [
  [bold(delivery), `  ${oneLine(requirement, 120)}`],
  dim(`  in ${repository}`),
]
