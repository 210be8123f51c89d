import type { Finding } from '../../delivery/judging/finding.ts'
import { exampleText } from '../answer/told.ts'
import { namedFinding } from '../prompt/findings.ts'
import { assemble, type Prompt, type Setting } from '../prompt/prompt.ts'
import { changeSections, type ReviewedChange } from '../prompt/reviewed-change.ts'
import { section } from '../prompt/sections.ts'
import { rebuttalContract } from './rebuttal.ts'

export interface RebuttalBrief extends ReviewedChange {
  /** What others found, by the names that it is to use. */
  rebuts: { name: string; finding: Finding }[]
  result: string
}

/** What a reviewer who approved is told about what others saw. */
export const rebuttalPrompt = (brief: RebuttalBrief, setting: Setting): Prompt =>
  assemble('reviewer-rebuttal', setting, [
    ...changeSections(brief),
    section('rebuts', 'Findings of other reviewers', brief.rebuts.map(namedFinding)),
    section('answer', 'How to answer', answer(brief)),
  ])

/** The example last: it speaks of each of them. */
const answer = ({ commit, result, rebuts }: RebuttalBrief): string[] => [
  [
    `Write JSON to the file named by ROPEWALK_RESULT (${result}); if you cannot write it, end your reply with the same JSON in one fenced block:`,
    `- "commit": ${commit}.`,
    '- "rebuttals": for each finding by its name in "finding" the "stance" (upheld, disputed, unsure), "because", and for a dispute "evidence": the whole lines that show that it is wrong, quoted word for word.',
  ].join('\n'),
  exampleText(
    rebuttalContract(
      commit,
      rebuts.map(({ name }) => name),
    ),
  ),
]
