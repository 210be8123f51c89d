import type { Finding } from '../../delivery/judging/finding.ts'
import { answerSection } from '../answer/told.ts'
import { fenced } from '../prompt/fence.ts'
import { namedFinding } from '../prompt/findings.ts'
import { assemble, type Prompt, type Setting } from '../prompt/prompt.ts'
import { changeSections, type ReviewedChange } from '../prompt/reviewed-change.ts'
import { section } from '../prompt/sections.ts'
import { bulleted } from '../prompt/story.ts'
import { triageContract } from './contract.ts'

interface TriagerBrief extends ReviewedChange {
  findings: { name: string; finding: Finding; notes: string[] }[]
  /** Why the answer before did not do. */
  problems: string[]
  result: string
}

/** What is told to whoever sorts what reviewers found. */
export function triagerPrompt(brief: TriagerBrief, setting: Setting): Prompt {
  const { commit, findings, problems, result } = brief
  const told = problems.slice(0, 20).map((problem) => problem.slice(0, 400))
  return assemble('triager', setting, [
    ...changeSections(brief),
    section(
      'sorted',
      'The findings',
      findings.map((one) => [namedFinding(one), ...one.notes].join('\n')),
    ),
    section(
      'problems',
      'Why the sorting before did not do',
      told.length === 0 ? [] : [fenced(bulleted(told), 'problems')],
    ),
    answerSection(triageContract(commit), {
      result,
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
