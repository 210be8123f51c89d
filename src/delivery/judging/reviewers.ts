import type { DeliveryEvent } from '../events.ts'
import type { StoryId } from '../ids.ts'

/** Agents that have judged a story as it is now, and found nothing: an earlier verdict was on something else. */
export function reviewersOf(events: DeliveryEvent[], story: StoryId): string[] {
  const last = events.findLast(
    (event) => event.type === 'Judged' && event.story === story && event.judge === 'verifier',
  )
  if (last?.type !== 'Judged' || last.verdict.status !== 'passed') return []
  const agents = events.flatMap((event) =>
    event.type === 'StepStarted' && event.step.verb === 'Review' && event.step.id === last.step
      ? [event.step.agent]
      : [],
  )
  return [...new Set(agents)]
}
