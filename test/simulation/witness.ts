import type { DeliveryEvent } from '../../src/delivery/events.ts'
import type { DeliveryState } from '../../src/delivery/state.ts'

/** What was really said about commits and trees, kept apart from the state so that the two can be compared. */
export interface Witnessed {
  /** Checks that passed, by tree. */
  proven: Record<string, string[]>
  /** Judges that passed or were waived, by commit. */
  judged: Record<string, string[]>
  /** Commits that a human let through the gate. */
  approved: string[]
}

export const nothingWitnessed = (): Witnessed => ({ proven: {}, judged: {}, approved: [] })

/** To be told before the state changes. */
export function witness(seen: Witnessed, before: DeliveryState, event: DeliveryEvent): Witnessed {
  switch (event.type) {
    case 'Judged':
      if (event.verdict.status !== 'passed') return seen
      return withVerdict(seen, event)
    case 'QuestionAnswered': {
      const asked = before.questions[event.question]?.question
      const control = asked?.kind === 'story-gate' ? before.stories[asked.story!]!.control : null
      if (event.option !== 'approve' || control?.status !== 'gated') return seen
      return { ...seen, approved: [...seen.approved, control.commit] }
    }
    case 'FindingWaived': {
      const judgement = before.stories[event.story]?.judged
      if (judgement === null || judgement === undefined) return seen
      return { ...seen, judged: added(seen.judged, judgement.commit, judgement.judge) }
    }
    default:
      return seen
  }
}

function withVerdict(seen: Witnessed, event: Extract<DeliveryEvent, { type: 'Judged' }>): Witnessed {
  const judged = added(seen.judged, event.commit, event.judge)
  const proven = event.judge.startsWith('check:') ? added(seen.proven, event.tree, event.judge) : seen.proven
  return { ...seen, judged, proven }
}

const added = (lists: Record<string, string[]>, key: string, value: string): Record<string, string[]> => ({
  ...lists,
  [key]: [...(lists[key] ?? []), value],
})
