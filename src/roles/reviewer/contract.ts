import type { CommitId } from '../../delivery/ids.ts'
import { severities } from '../../delivery/judging/finding.ts'
import { contractOf } from '../answer/contract.ts'
import { list, oneOf, optional, record, text, whole } from '../answer/shape.ts'

/** A place, with a quotation that shows what is said of it. */
export const shownPlace = {
  file: text({ least: 1, most: 1_000 }),
  line: optional(whole({ from: 1, to: 10_000_000 }), null),
  message: text({ least: 1, most: 4_000 }),
  evidence: optional(text({ least: 0, most: 20_000 }), ''),
}

/** Something wrong. */
const claim = record({ severity: oneOf(severities), ...shownPlace })

/** Something that nobody asked for. */
const beyond = record({ severity: optional(oneOf(severities), 'suggestion'), ...shownPlace })

const states = ['met', 'partial', 'missing', 'unclear'] as const
const fates = ['passed', 'failed', 'unverifiable'] as const
const word = <const State extends string>(of: readonly State[]) =>
  record({
    number: whole({ from: 1, to: 1_000 }),
    state: oneOf(of),
    why: optional(text({ least: 0, most: 1_000 }), ''),
  })

export const mostClaims = 50
const mostBeyond = 20

/** The commit keeps apart what a reviewer says and what it quotes: nothing that is in a commit can name it. */
const shapeFor = (commit: CommitId) =>
  record({
    commit: oneOf([commit]),
    verdict: oneOf(['approve', 'needs-work']),
    findings: optional(list(claim, { most: mostClaims }), []),
    checked: optional(list(text({ least: 1, most: 1_000 }), { most: 100 }), []),
    criteria: optional(list(word(states), { most: 200 }), []),
    checklist: optional(list(word(fates), { most: 200 }), []),
    scope: optional(list(beyond, { most: mostBeyond }), null),
  })

export type ReviewAnswer = ReturnType<ReturnType<typeof shapeFor>['read']>
export type ReviewClaim = ReviewAnswer['findings'][number]

/** `unfounded`: what is wrong with all that would hold the work up, where none of it can be looked up. */
export const reviewContract = (commit: CommitId, unfounded: (review: ReviewAnswer) => string[] = () => []) =>
  contractOf({
    name: 'review',
    version: 2,
    shape: shapeFor(commit),
    example: exampleOf(commit),
    contradictions: (review) => [...contradictionsIn(review), ...unfounded(review)],
  })

/** What an approval holds against the work is not asked about again: it counts. */
function contradictionsIn({ verdict, findings, checked, criteria, checklist, scope }: ReviewAnswer): string[] {
  const lacks = [...criteria, ...checklist].some(({ state }) => lacking.includes(state))
  const named = [...findings, ...(scope ?? [])]
  if (verdict === 'needs-work')
    return named.length === 0 && !lacks ? ['the verdict is needs-work, but there are no findings'] : []
  return checked.length === 0 ? ['the verdict is approve, but "checked" names nothing that was looked at'] : []
}

/** It is to be mended, though no finding says so besides. */
export const lacking: string[] = ['missing', 'partial', 'failed']

const exampleOf = (commit: CommitId): Record<string, unknown> => ({
  commit,
  verdict: 'needs-work',
  findings: [
    {
      severity: 'blocking',
      file: 'src/dates.js',
      line: 14,
      message: 'The 30th of February is accepted, against the first criterion: parse("2024-02-30") returns a date.',
      evidence: 'return day <= 31',
    },
  ],
  checked: ['src/dates.js: every branch of parse, with the first and last day of each month'],
  criteria: [{ number: 1, state: 'partial', why: 'Days beyond 31 are refused, those beyond the month are not.' }],
  checklist: [],
  scope: [],
})
