import type { DeliveryEvent } from '../../src/delivery/events.ts'
import type { Severity } from '../../src/delivery/judging/finding.ts'
import type { DeliveryState } from '../../src/delivery/state.ts'
import { policyOf } from '../../src/delivery/state.ts'

/** What was really said about commits and trees, kept apart from the state so that the two can be compared. */
export interface Witnessed {
  /** Checks that passed, by tree. */
  proven: Record<string, string[]>
  /** Judges that passed or were waived, by commit. */
  judged: Record<string, string[]>
  /** Commits that a human let through the gate. */
  approved: string[]
  /** The policy is another one than at first: what was judged under that one stays judged. */
  repinned: boolean
  /** Fingerprints that a human waived, by story. */
  waived: Record<string, string[]>
  /** Vantage points from which somebody has looked, by commit. */
  reviewed: Record<string, string[]>
  /** Fingerprints of what a triager accepted as blocking, where that sends the work back, and nothing has disproved since, by commit. */
  refused: Record<string, string[]>
  /** Stories on which a human has worked. */
  taken: string[]
}

export const nothingWitnessed = (): Witnessed => ({
  proven: {},
  judged: {},
  approved: [],
  repinned: false,
  waived: {},
  reviewed: {},
  refused: {},
  taken: [],
})

/** To be told before the state changes. */
export function witness(seen: Witnessed, before: DeliveryState, event: DeliveryEvent): Witnessed {
  switch (event.type) {
    case 'Judged':
      if (isGood(seen, event)) return withVerdict(seen, event)
      return isLeftToReviewers(before, event)
        ? withChangedTests(seen, event.story!, { ...event, ...event.verdict })
        : seen
    case 'PolicyPinned':
      return before.policy === null || before.policyHash === event.hash ? seen : { ...seen, proven: {}, repinned: true }
    case 'QuestionAnswered': {
      const asked = before.questions[event.question]?.question
      const control = asked?.story == null ? null : before.stories[asked.story]!.control
      if (event.option === 'accept' && control?.status === 'contested')
        return withChangedTests(seen, asked!.story!, control)
      if (asked?.kind !== 'story-gate' || event.option !== 'approve' || control?.status !== 'gated') return seen
      return { ...seen, approved: [...seen.approved, control.commit] }
    }
    case 'WorkspaceLent':
      return { ...seen, taken: [...seen.taken, event.story] }
    case 'StoryReviewed':
      if (event.word.status === 'absent') return seen
      return { ...seen, reviewed: added(seen.reviewed, event.commit, event.vantage) }
    case 'FindingsTriaged':
    case 'FindingsReproduced':
      return withRefusals(seen, before, event)
    case 'FindingWaived': {
      const waived = added(seen.waived, event.story, event.fingerprint)
      const judgement = before.stories[event.story]?.judged ?? null
      if (judgement === null) return { ...seen, waived }
      return { ...seen, waived, judged: added(seen.judged, judgement.commit, judgement.judge) }
    }
    default:
      return seen
  }
}

/** Only what was sorted in full counts. */
function withRefusals(
  seen: Witnessed,
  before: DeliveryState,
  event: Extract<DeliveryEvent, { type: 'FindingsTriaged' | 'FindingsReproduced' }>,
): Witnessed {
  const control = before.stories[event.story]?.control
  if (control === undefined || !('commit' in control) || before.running[event.step] === undefined) return seen
  const known = seen.refused[control.commit] ?? []
  if (event.type === 'FindingsReproduced') {
    const refuted = event.reproductions.filter(({ result }) => result === 'refuted').map((one) => one.fingerprint)
    const left = known.filter((print) => !refuted.includes(print))
    return { ...seen, refused: { ...seen.refused, [control.commit]: left } }
  }
  if (control.status !== 'triaging' || event.sorted.length !== control.findings.length) return seen
  const { blocks } = policyOf(before).review
  const isBlocking = ({ severity }: { severity: Severity }) => severity === 'blocking' && blocks.includes(severity)
  const blocking = event.sorted.filter((one) => one.fate === 'accepted' && isBlocking(one))
  const prints = blocking.map(({ fingerprint }) => fingerprint)
  return { ...seen, refused: { ...seen.refused, [control.commit]: prints } }
}

/** Nobody is there, and the settings have reviewers decide whether tests may change. */
function isLeftToReviewers(
  before: DeliveryState,
  { judge, scope, verdict }: Extract<DeliveryEvent, { type: 'Judged' }>,
): boolean {
  const { unattended, changedTests, review } = policyOf(before)
  const isLeft = unattended && changedTests === 'reviewers' && review.reviewers.length > 0
  return isLeft && judge.startsWith('guard:') && scope === 'story' && verdict.status === 'findings'
}

function withChangedTests(
  seen: Witnessed,
  story: string,
  { commit, judge, findings = [] }: { commit: string; judge: string; findings?: { fingerprint: string }[] },
): Witnessed {
  const prints = [...(seen.waived[story] ?? []), ...findings.map(({ fingerprint }) => fingerprint)]
  return { ...seen, judged: added(seen.judged, commit, judge), waived: { ...seen.waived, [story]: prints } }
}

/** Passed, or an opinion that found nothing but what a human has waived. */
function isGood(seen: Witnessed, { verdict, judge, story }: Extract<DeliveryEvent, { type: 'Judged' }>): boolean {
  if (verdict.status !== 'findings' || !/^(?:inspection|verifier|guard:.*)$/.test(judge))
    return verdict.status === 'passed'
  return verdict.findings.every(({ fingerprint }) => seen.waived[story ?? '']?.includes(fingerprint))
}

function withVerdict(seen: Witnessed, event: Extract<DeliveryEvent, { type: 'Judged' }>): Witnessed {
  const judged = added(seen.judged, event.commit, event.judge)
  const isOfLine = event.judge.startsWith('guard:') && event.scope !== 'story'
  const proves = event.judge.startsWith('check:') || isOfLine || event.judge === 'acceptance'
  const proven = proves ? added(seen.proven, event.tree, event.judge) : seen.proven
  return { ...seen, judged, proven }
}

const added = (lists: Record<string, string[]>, key: string, value: string): Record<string, string[]> => ({
  ...lists,
  [key]: [...(lists[key] ?? []), value],
})
