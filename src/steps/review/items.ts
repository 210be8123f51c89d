import type { Finding } from '../../delivery/judging/finding.ts'
import type { ChecklistWord, CriterionWord } from '../../delivery/review/review.ts'
import type { ReviewStory } from '../../delivery/review/steps.ts'
import { type DeliveryState, policyOf, storyOf } from '../../delivery/state.ts'
import type { Performance } from '../../ports/performer.ts'
import type { Review } from '../../roles/reviewer/contract.ts'
import type { ReviewerBrief } from '../../roles/reviewer/prompt.ts'
import { hashOf } from '../../std/hash.ts'

type Reviewing = Performance<ReviewStory>

/** Criteria and checklist are for the one who looks at criteria, or for the first where nobody does. */
export function itemsAsked({ state, step }: Reviewing): Pick<ReviewerBrief, 'criteria' | 'checklist'> {
  const seats = policyOf(state).review.reviewers.map(({ vantage }) => vantage)
  const asked = seats.includes('criteria') ? 'criteria' : (seats[0] ?? step.vantage)
  if (step.vantage !== asked) return { criteria: [], checklist: [] }
  return { criteria: storyOf(state, step.story).spec.criteria, checklist: checklistOf(state).map(({ item }) => item) }
}

const checklistOf = (state: DeliveryState) => state.plan.plan?.outline?.checklist ?? []

interface Said {
  criteria: CriterionWord[]
  checklist: ChecklistWord[]
  findings: Finding[]
}

/** Item by item; of what nothing was said, that is said. What is not fulfilled is a finding. */
export function saidOf(
  performance: Reviewing,
  review: Review,
  { source, holdsUp }: { source: string; holdsUp: boolean },
): Said {
  const asked = itemsAsked(performance)
  const nothing = 'the reviewer says nothing about it'
  const criteria = asked.criteria.map((criterion, index): CriterionWord => {
    const word = review.criteria.find(({ number }) => number === index + 1)
    return { criterion, state: word?.state ?? 'unclear', why: word?.why ?? nothing }
  })
  const checklist = asked.checklist.map((item, index): ChecklistWord => {
    const word = review.checklist.find(({ number }) => number === index + 1)
    return { item, state: word?.state ?? 'unverifiable', why: word?.why ?? nothing }
  })
  const musts = checklistOf(performance.state).map(({ must }) => must)
  const failed = checklist.flatMap(({ item, state, why }, index) =>
    state === 'failed'
      ? [
          itemFinding(source, {
            rule: 'checklist-failed',
            severity: musts[index] ? 'blocking' : 'important',
            item,
            why,
          }),
        ]
      : [],
  )
  // Whoever holds the work up says already what is missing.
  const unmet = holdsUp ? [] : criteria.flatMap((word) => unmetFinding(source, word))
  return { criteria, checklist, findings: [...failed, ...unmet] }
}

function unmetFinding(source: string, { criterion, state, why }: CriterionWord): Finding[] {
  if (state !== 'missing' && state !== 'partial') return []
  const severity = state === 'missing' ? 'blocking' : 'important'
  return [itemFinding(source, { rule: `criterion-${state}`, severity, item: criterion, why })]
}

const itemFinding = (
  source: string,
  { rule, severity, item, why }: { rule: string; severity: Finding['severity']; item: string; why: string },
): Finding => ({
  ...{ source, rule, severity, file: null, line: null },
  message: `${words[rule]}: ${item}`.slice(0, 2_000),
  evidence: why.slice(0, 4_000),
  fingerprint: hashOf(['review', rule, item]),
  fixTarget: 'code',
})

const words: Record<string, string> = {
  'checklist-failed': 'an item of the checklist failed',
  'criterion-missing': 'a criterion is not met',
  'criterion-partial': 'a criterion is met only in part',
}
