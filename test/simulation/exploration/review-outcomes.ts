import type { Outcome } from '../../../src/delivery/events.ts'
import type { Finding } from '../../../src/delivery/judging/finding.ts'
import type { Reproduction, ReviewWord, SortedFindings } from '../../../src/delivery/review/review.ts'
import type { ReproduceFindings, ReviewStory, TriageFindings } from '../../../src/delivery/step.ts'
import { absent, approval, objection, remark } from '../judgement-sample.ts'
import type { Fresh } from './outcomes.ts'

/** What comes up in every round, by one reviewer: it may have been dismissed. */
export const recurring = 'review/again and again'

/** All that can come of those who look at a story's work. */
export function reviewOutcomes(step: ReviewStory | TriageFindings | ReproduceFindings, fresh: Fresh): Outcome[] {
  switch (step.verb) {
    case 'ReviewStory':
      return wordsOf(step).map((word) => ({ type: 'StoryReviewed', ...about(step), ...seatOf(step), word }))
    case 'TriageFindings':
      return triaged(step)
    case 'ReproduceFindings':
      return reproduced(step, fresh)
  }
}

const about = ({ id, story }: { id: string; story: string }) => ({ step: id, story })
const seatOf = ({ vantage, commit }: ReviewStory) => ({ vantage, commit })

/** One reviewer comes back to the same thing every round, the others find something else each time. */
function wordsOf({ vantage, reviewRound, rebuts }: ReviewStory): ReviewWord[] {
  if (rebuts.length > 0) {
    const [{ fingerprint }] = rebuts as [Finding]
    const rebuttal = { fingerprint, because: 'it is not' }
    return [approval, { ...approval, rebuttals: [{ ...rebuttal, stance: 'disputed' }] }, absent]
  }
  const found = remark(vantage === 'correctness' ? 'again and again' : `${vantage} ${reviewRound}`)
  const outside = [found.fingerprint]
  return [approval, objection([found]), objection([found], { outside }), absent]
}

function triaged(step: TriageFindings): Outcome[] {
  const sorted = (given: Partial<SortedFindings>): SortedFindings[] =>
    step.findings.map(({ fingerprint, severity }) => ({
      ...{ fingerprint, severity, fate: 'accepted', because: `about ${fingerprint}` },
      ...given,
    }))
  const kinds: SortedFindings[][] = [
    ...[sorted({}), sorted({ fate: 'rejected' }), sorted({ fate: 'deferred' }), sorted({ severity: 'note' }), []],
  ]
  return [
    ...kinds.map((one): Outcome => ({ type: 'FindingsTriaged', ...about(step), sorted: one, verdict: 'approve' })),
    { type: 'TriageFaulted', ...about(step), problems: ['prose'] },
  ]
}

function reproduced(step: ReproduceFindings, fresh: Fresh): Outcome[] {
  const all = (result: Reproduction['result']): Reproduction[] =>
    step.findings.map(({ fingerprint }) => ({ fingerprint, result, test: 'a.test.ts', why: 'so' }))
  const red = { commit: fresh('c'), tree: fresh('t') }
  return [
    { type: 'FindingsReproduced', ...about(step), reproductions: all('confirmed'), red },
    { type: 'FindingsReproduced', ...about(step), reproductions: all('refuted'), red: null },
    { type: 'FindingsReproduced', ...about(step), reproductions: all('inconclusive'), red: null },
  ]
}
