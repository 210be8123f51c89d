import type { DeliveryState } from '../../../delivery/state.ts'
import { oneLine } from '../../../std/text/plain-text.ts'
import type { InboxItem } from '../../../views/questions/inbox.ts'
import { waitsOf } from '../../../views/status.ts'
import { counted } from '../../../views/step-text.ts'
import type { Line } from '../../show/line.ts'
import { bold, dim } from '../../show/line.ts'
import { waitLines } from '../../show/lines/graph-lines.ts'
import { deadlineLines, evidenceLines, questionLines } from '../../show/lines/question-lines.ts'

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
export const waitingLines = (states: DeliveryState[], at: number): Line[] =>
  states.flatMap((state) => {
    const lines = waitLines(waitsOf(state, at), at)
    return lines.length === 0 ? [] : [bold(state.id), ...lines]
  })

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
