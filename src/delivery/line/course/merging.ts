import { never } from '../../../std/never.ts'
import type { Outcome } from '../../events.ts'
import type { CommitId, StoryId } from '../../ids.ts'
import { blocks, type Finding } from '../../judging/finding.ts'
import { plainStory, type Story } from '../../plan/plan.ts'
import { type DeliveryState, policyOf, storyOf } from '../../state.ts'
import { type AddFixStory, identified } from '../../step.ts'
import { freshStory, workOf } from '../../story/story.ts'
import { moveStory } from '../../story/transitions.ts'
import { conflictedWithLine } from './cars.ts'

type Of<T extends Outcome['type']> = Extract<Outcome, { type: T }>

export function lineComposed(state: DeliveryState, event: Of<'LineComposed'>): void {
  const story = storyOf(state, event.story)
  if (story.control.status !== 'composing') return
  const composed = { onto: event.onto, commit: event.commit, tree: event.tree }
  moveStory(story, 'composed', { ...workOf(story.control), composed, retry: 0, red: null })
  state.line.train = [...state.line.train, event.story]
}

export function composeConflicted(state: DeliveryState, event: Of<'ComposeConflicted'>): void {
  const story = storyOf(state, event.story)
  if (story.control.status !== 'composing') return
  const { onto, conflicted, findings } = event
  const { train, tip } = state.line
  if (onto === tip) return conflictedWithLine(state, story, { onto, conflicted, findings })
  const misfit = { behind: [...train], onto, conflicted, findings }
  moveStory(story, 'misfitFound', { ...story.control, misfit })
}

export function lineAdvanced(state: DeliveryState, event: Of<'LineAdvanced'>): void {
  const story = storyOf(state, event.story)
  if (story.control.status !== 'proving') return
  moveStory(story, 'joined', { ...workOf(story.control), joinedAs: event.to })
  state.line.tip = event.to
  state.line.tree = event.tree
  state.line.train = state.line.train.filter((id) => id !== event.story)
  state.line.whole = null
  state.line.silences = 0
  state.line.commits.push({ story: event.story, commit: event.to, tree: event.tree })
}

export function landed(state: DeliveryState, event: Of<'Landed'>): void {
  const { line } = state
  line.begun = null
  line.begunIn = null
  line.landings = 0
  const upTo = line.commits.findLastIndex((one) => one.commit === event.to)
  let onto = line.target
  for (const { story, commit } of line.commits.splice(0, upTo + 1)) {
    moveStory(storyOf(state, story), 'landed', { onto, commit })
    onto = commit
  }
  line.target = event.to
}

export function landingRefused(state: DeliveryState, event: Of<'LandingRefused'>): void {
  const { line } = state
  line.begun = null
  line.begunIn = null
  switch (event.reason) {
    case 'dirty':
      line.landing = { status: 'waiting', message: event.message }
      return
    case 'moved':
      line.landings += 1
      if (line.landings >= policyOf(state).limits.landings) {
        line.landing = { status: 'waiting', message: `the target moved ${line.landings} times while we were landing` }
      }
      layAgain(state, event.target)
      return
    default:
      never(event.reason)
  }
}

/** The target has moved: everything that has not landed is composed and proven again on top of it, in line order. */
function layAgain(state: DeliveryState, target: CommitId): void {
  const { line } = state
  line.target = target
  line.tip = target
  line.tree = null
  let place = -line.commits.length
  for (const { story: id } of line.commits.splice(0)) {
    const story = storyOf(state, id)
    if (story.control.status !== 'joined') continue
    story.queue = place++
    moveStory(story, 'laidAgain', { ...workOf(story.control), misfit: null })
  }
  for (const id of line.train.splice(0)) {
    const story = storyOf(state, id)
    if (story.control.status !== 'proving') continue
    moveStory(story, 'uncoupled', { ...workOf(story.control), misfit: null })
  }
}

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
