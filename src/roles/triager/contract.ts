import type { CommitId } from '../../delivery/ids.ts'
import { severities } from '../../delivery/judging/finding.ts'
import { fates } from '../../delivery/review/review.ts'
import { type AnswerTo, contractOf } from '../answer/contract.ts'
import { list, oneOf, optional, record, text } from '../answer/shape.ts'

/** Whether it names what is there, and all of it, is for the law to say. */
const sorted = record({
  finding: text({ least: 1, most: 64 }),
  fate: oneOf(fates),
  severity: oneOf(severities),
  because: optional(text({ least: 0, most: 4_000 }), ''),
})

/** What a triager must say about findings. */
export const triageContract = (commit: CommitId) =>
  contractOf({
    name: 'triage',
    version: 1,
    shape: record({
      commit: oneOf([commit]),
      sorted: list(sorted, { most: 1_000 }),
      verdict: optional(oneOf(['approve', 'needs-work']), null),
    }),
    example: {
      commit,
      sorted: [
        {
          finding: 'F1',
          fate: 'accepted',
          severity: 'important',
          because: 'daysIn is called without the year, so that the 29th of February is refused in leap years.',
        },
      ],
      verdict: 'needs-work',
    },
  })

export type Triage = AnswerTo<typeof triageContract>
