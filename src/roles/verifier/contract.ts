import type { CommitId } from '../../delivery/ids.ts'
import { matcherFor, plainLines } from '../../proof/review/quotation.ts'
import { type AnswerTo, contractOf } from '../answer/contract.ts'
import { list, oneOf, optional, record, text, whole } from '../answer/shape.ts'
import { mostClaims } from '../reviewer/contract.ts'

/** Something wrong, with a quotation that shows where. */
const claim = record({
  file: text({ least: 1, most: 1_000 }),
  line: optional(whole({ from: 1, to: 10_000_000 }), null),
  message: text({ least: 1, most: 4_000 }),
  evidence: optional(text({ least: 0, most: 20_000 }), ''),
})

export type VerdictClaim = VerdictAnswer['findings'][number]

/** What a verifier must say about a commit. */
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
