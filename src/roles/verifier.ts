import type { CommitId } from '../delivery/ids.ts'
import type { Story } from '../delivery/plan/plan.ts'
import { matcherFor, plainLines } from '../proof/review/quotation.ts'
import { type AnswerTo, answerSection, contractOf, problemsSection } from './answer/contract.ts'
import { list, oneOf, optional, record } from './answer/shape.ts'
import { assemble, type Prompt, type Setting } from './prompt/prompt.ts'
import { section } from './prompt/sections.ts'
import { changeSection, fencedList, storySection } from './prompt/shown.ts'
import { mostClaims, shownPlace } from './reviewer/prompt.ts'

/** Something wrong, with a quotation that shows where. */
const claim = record(shownPlace)

export type VerdictClaim = VerdictAnswer['findings'][number]

export const verdictContract = (commit: CommitId) =>
  contractOf({
    name: 'verdict',
    version: 1,
    // The commit keeps apart what the verifier says and what it quotes: nothing that is in a commit can name it.
    shape: record({
      commit: oneOf([commit]),
      verdict: oneOf(['passed', 'findings']),
      findings: optional(list(claim, { most: mostClaims }), []),
    }),
    example: {
      commit,
      verdict: 'findings',
      findings: [
        {
          file: 'src/dates.js',
          line: 14,
          message: 'The 30th of February is accepted, against the first criterion.',
          evidence: 'return day <= 31',
        },
      ],
    },
    contradictions: ({ verdict, findings }) => {
      if (verdict === 'passed' && findings.length > 0) return ['the verdict is passed, but there are findings']
      return verdict === 'findings' && findings.length === 0 ? ['the verdict is findings, but there are none'] : []
    },
  })

export type VerdictAnswer = AnswerTo<typeof verdictContract>

/** Whether all that is quoted is in one of the texts; what a diff puts before its lines, and blanks, do not count. */
export function isQuoted(evidence: string, texts: readonly string[]): boolean {
  const quoted = linesOf(evidence)
  const has = matcherFor(quoted)
  if (has === null) return false
  return texts.map(linesOf).some((lines) => quoted.every((one) => lines.some((line) => has(line, one))))
}

const linesOf = (text: string): string[] => plainLines(text).filter((line) => line !== '')

interface VerifierBrief {
  story: Story
  commit: CommitId
  /** Why the answers before this one were no verdict, the last one last; empty: there were none. */
  silences: string[]
  /** The whole change, as a patch. */
  patch: string
  tests: string[]
}

/** What the verifier is told. Nothing that those who wrote the work say about it. */
export function verifierPrompt({ story, commit, silences, patch, tests }: VerifierBrief, setting: Setting): Prompt {
  const contract = verdictContract(commit)
  const fields = [
    `- "commit": ${commit}, the commit that you judge. A verdict without it is taken for something you quote.`,
    '- "verdict": "passed" with no findings, or "findings".',
    `- "findings": a list of at most ${mostClaims} objects with "file" (a path in the repository), "line" (a number or null), "message" (what is wrong, and for which criterion) and "evidence" (the whole lines that show it, quoted word for word from that file or from the diff).`,
    'A finding whose evidence is not there word for word is dropped. For example, of another change:',
  ]
  const end = '. Anything else counts as no answer, and so do two verdicts that differ.'
  return assemble('verifier', setting, [
    problemsSection(contract, silences.slice(-1), silences.length > 1),
    storySection(story, 'The story'),
    changeSection(patch),
    section('tests', 'Its tests', fencedList(tests, 'files')),
    answerSection(contract, setting, { end, fields }),
  ])
}
