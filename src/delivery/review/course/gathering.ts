import { hashOf } from '../../../std/hash.ts'
import type { Finding, Severity } from '../../judging/finding.ts'
import { severities } from '../../judging/finding.ts'
import type { Plan } from '../../plan/plan.ts'
import type { StoryState } from '../../story/story.ts'
import type { ReviewWord, Vantage } from '../review.ts'
import { isDismissed } from '../state.ts'

export type Returned = Extract<ReviewWord, { status: 'returned' }>

/** An approval that names nothing it looked at is none, nor is a refusal that names nothing to mend. */
export function usable(word: ReviewWord): ReviewWord {
  if (word.status === 'absent' || word.findings.length > 0) return word
  const finds = word.criteria.some(({ state }) => isLacking(state)) || word.checklist.some(isFailed)
  if (word.verdict === 'needs-work' && !finds) return { status: 'absent', reason: 'it wants work, and names none' }
  if (word.checked.length === 0 && !finds) return { status: 'absent', reason: 'it does not say what it looked at' }
  return word
}

/** All that reviewers have found in this round, each once, without what was dismissed before. */
export function gathered(story: StoryState, plan: Plan | null, words: [Vantage, Returned][]): Finding[] {
  const all = words.flatMap(([vantage, word]) =>
    [...word.findings, ...ofCriteria(story, word), ...ofChecklist(plan, word)].map((finding) => ({
      ...finding,
      source: `review:${vantage}`,
    })),
  )
  const byPrint = new Map<string, Finding>()
  for (const finding of all) {
    const twin = byPrint.get(finding.fingerprint)
    if (twin === undefined || isGraver(finding, twin)) byPrint.set(finding.fingerprint, finding)
  }
  return [...byPrint.values()].filter(({ fingerprint }) => !isDismissed(story, fingerprint))
}

const isGraver = (one: Finding, other: Finding): boolean =>
  severities.indexOf(one.severity) < severities.indexOf(other.severity)

const isLacking = (state: string): boolean => state === 'missing' || state === 'partial'
const isFailed = ({ state }: { state: string }): boolean => state === 'failed'

/** Only what the story was to fulfil: a reviewer sets no goals of its own. */
const ofCriteria = ({ spec }: StoryState, { criteria }: Returned): Finding[] =>
  criteria
    .filter(({ criterion, state }) => isLacking(state) && spec.criteria.includes(criterion))
    .map(({ criterion, state, why }) =>
      finding({
        rule: 'criterion',
        severity: state === 'missing' ? 'blocking' : 'important',
        message: `a criterion is ${state === 'missing' ? 'not' : 'only partly'} met: ${criterion}`,
        why,
        print: [criterion, state],
      }),
    )

/** Musts and must-nots of the plan: a failed one blocks. */
const ofChecklist = (plan: Plan | null, { checklist }: Returned): Finding[] =>
  checklist
    .filter((word) => isFailed(word) && plan?.outline?.checklist.some(({ item }) => item === word.item))
    .map(({ item, why }) =>
      finding({
        rule: 'checklist',
        severity: 'blocking',
        message: `the plan's checklist fails: ${item}`,
        why,
        print: [item],
      }),
    )

const finding = ({ rule, severity, message, why, print }: Given): Finding => ({
  source: 'review',
  rule,
  severity,
  file: null,
  line: null,
  message,
  evidence: why,
  fingerprint: hashOf(['review', rule, ...print]),
  fixTarget: 'code',
})

interface Given {
  rule: string
  severity: Severity
  message: string
  why: string
  print: string[]
}
