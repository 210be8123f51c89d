import type { CommitId } from '../../delivery/ids.ts'
import type { Finding } from '../../delivery/judging/finding.ts'
import { type AnswerTo, contractOf } from '../answer/contract.ts'
import { list, oneOf, optional, record, text } from '../answer/shape.ts'
import { exampleText } from '../answer/told.ts'
import { namedFinding } from '../prompt/findings.ts'
import { assemble, type Prompt, type Setting } from '../prompt/prompt.ts'
import { changeSections, type ReviewedChange } from '../prompt/reviewed-change.ts'
import { section } from '../prompt/sections.ts'

const stances = ['upheld', 'disputed', 'unsure'] as const

/** What a reviewer who approved must say about others' findings. */
export const rebuttalContract = (commit: CommitId, names: string[]) =>
  contractOf({
    name: 'rebuttal',
    version: 1,
    shape: record({
      commit: oneOf([commit]),
      rebuttals: list(
        record({
          finding: oneOf(names),
          stance: oneOf(stances),
          because: text({ least: 1, most: 4_000 }),
          evidence: optional(text({ least: 0, most: 20_000 }), ''),
        }),
        { most: Math.max(50, names.length) },
      ),
    }),
    example: {
      commit,
      rebuttals: names.map((finding) => ({
        finding,
        stance: 'disputed',
        because: 'The day is held against the month one line above, which the finding leaves out.',
        evidence: 'if (day > daysIn(month, year)) throw new RangeError(text)',
      })),
    },
    bareList: { field: 'rebuttals', key: 'stance' },
    contradictions: ({ rebuttals }) => {
      const said = rebuttals.map(({ finding }) => finding)
      const missing = names.filter((name) => !said.includes(name))
      const twice = names.filter((name) => said.filter((one) => one === name).length > 1)
      return [
        ...missing.map((name) => `nothing is said about ${name}`),
        ...twice.map((name) => `${name} is spoken of more than once`),
      ]
    },
  })

export type Rebuttals = AnswerTo<typeof rebuttalContract>

interface RebuttalBrief extends ReviewedChange {
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
