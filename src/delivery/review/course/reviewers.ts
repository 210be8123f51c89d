import type { DeliveryEvent } from '../../events.ts'
import type { StepId, StoryId } from '../../ids.ts'

/** Agents that have looked at a story as it is now, and found nothing: an earlier word was on something else. */
export function agentsThatLooked(events: DeliveryEvent[], story: StoryId): string[] {
  const turns = new Set([...verdictOn(events, story), ...approvalsOf(events, story)])
  const agents = events.flatMap((event) =>
    event.type === 'StepStarted' && 'agent' in event.step && turns.has(event.step.id) ? [event.step.agent] : [],
  )
  return [...new Set(agents)]
}

function verdictOn(events: DeliveryEvent[], story: StoryId): StepId[] {
  const last = events.findLast(
    (event) => event.type === 'Judged' && event.story === story && event.judge === 'verifier',
  )
  return last?.type === 'Judged' && last.verdict.status === 'passed' ? [last.step] : []
}

/** Of those who were asked about the last commit. */
function approvalsOf(events: DeliveryEvent[], story: StoryId): StepId[] {
  const words = events.flatMap((event) => (event.type === 'StoryReviewed' && event.story === story ? [event] : []))
  const commit = words.at(-1)?.commit
  return words.flatMap(({ step, word, ...about }) =>
    about.commit === commit && word.status === 'returned' && word.verdict === 'approve' ? [step] : [],
  )
}
