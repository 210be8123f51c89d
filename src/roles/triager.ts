import type { CommitId } from '../delivery/ids.ts'
import { type Finding, severities } from '../delivery/judging/finding.ts'
import { fates } from '../delivery/review/review.ts'
import { type AnswerTo, answerSection, contractOf } from './answer/contract.ts'
import { list, oneOf, optional, record, text } from './answer/shape.ts'
import { assemble, type Prompt, type Setting } from './prompt/prompt.ts'
import { section } from './prompt/sections.ts'
import { changeSections, fencedList, namedFinding, type ReviewedChange } from './prompt/shown.ts'

/** Whether it names what is there, and all of it, is for the law to say. */
const sorted = record({
  finding: text(1, 64),
  fate: oneOf(fates),
  severity: oneOf(severities),
  because: optional(text(0, 4_000), ''),
})

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

interface TriagerBrief extends ReviewedChange {
  findings: { name: string; finding: Finding; notes: string[] }[]
  /** Why the answer before did not do. */
  problems: string[]
}

/** What is told to whoever sorts what reviewers found. */
export function triagerPrompt(brief: TriagerBrief, setting: Setting): Prompt {
  const { commit, findings, problems } = brief
  const told = problems.slice(0, 20).map((problem) => problem.slice(0, 400))
  const sortable = findings.map((one) => [namedFinding(one), ...one.notes].join('\n'))
  return assemble('triager', setting, [
    ...changeSections(brief),
    section('sorted', 'The findings', sortable),
    section('problems', 'Why the sorting before did not do', fencedList(told, 'problems')),
    answerSection(triageContract(commit), setting, {
      end: '. Anything else counts as no answer.',
      fields: [
        `- "commit": ${commit}.`,
        `- "sorted": each of ${findings.map(({ name }) => name).join(', ')} once, with "finding" (its name), "fate", "severity" and "because".`,
        '- "verdict": "needs-work" when you accept anything that is blocking or important, else "approve". It is computed again from what you sorted.',
        'For example, of another change:',
      ],
    }),
  ])
}
