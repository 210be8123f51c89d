import type { Outcome } from '../../events.ts'
import type { StoryId } from '../../ids.ts'
import type { Finding } from '../../judging/finding.ts'
import { blocks } from '../../judging/finding.ts'
import { plainStory, type Story } from '../../plan/plan.ts'
import { identified } from '../../shared/step-id.ts'
import type { DeliveryState } from '../../state.ts'
import { policyOf } from '../../state.ts'
import type { AddFixStory } from '../../step.ts'
import { freshStory } from '../../story/story.ts'

/** The result of all stories is red: one more story mends it, as long as it may be tried that way. */
export function dueMending(state: DeliveryState): AddFixStory | null {
  const { whole, mends } = state.line
  if (whole === null || whole.findings.length === 0 || whole.mend !== null) return null
  if (mends >= policyOf(state).limits.fixStories || isLeftOut(state)) return null
  const { commit, findings } = whole
  return identified({ verb: 'AddFixStory', story: null, commit, spec: fixStory(state, findings), findings } as const)
}

/** A human who left one out wants no other in its place: to retry it says otherwise. */
const isLeftOut = ({ line, order, stories }: DeliveryState): boolean =>
  line.mends > 0 && order.slice(-line.mends).some((id) => stories[id]!.control.status === 'skipped')

/** The red check says what is wrong: no other test has to show it. */
const fixStory = (state: DeliveryState, findings: Finding[]): Story =>
  plainStory({
    id: freeId(state),
    title: 'Mend the result of all stories',
    description: `The stories are together on the line, and judged as a whole they are red:\n${listed(findings)}\nMend the cause.`,
    criteria: ['The checks that were red pass, and all others as before.'],
    strategy: 'none',
    noTestsBecause: 'the red check says what is wrong',
  })

function freeId({ line, stories }: DeliveryState): StoryId {
  let number = line.mends + 1
  while (stories[`mend-${number}`] !== undefined) number += 1
  return `mend-${number}`
}

const listed = (findings: Finding[]): string =>
  (findings.some(blocks) ? findings.filter(blocks) : findings)
    .slice(0, 5)
    .map(({ message }) => `- ${message}`)
    .join('\n')

/** It starts at the line's tip, with what was found as its first findings. */
export function fixStoryAdded(state: DeliveryState, event: Extract<Outcome, { type: 'FixStoryAdded' }>): void {
  const { spec, findings } = event
  state.line.mends += 1
  if (state.line.whole !== null) state.line.whole = { ...state.line.whole, mend: spec.id }
  state.order = [...state.order, spec.id]
  state.stories = { ...state.stories, [spec.id]: { ...freshStory(spec, 'story'), findings } }
}
