import { never } from '../../../std/never.ts'
import type { Outcome } from '../../events.ts'
import type { CommitId } from '../../ids.ts'
import type { DeliveryState } from '../../state.ts'
import { policyOf, storyOf } from '../../state.ts'
import { moveStory } from '../../story/transitions.ts'
import { conflictedWithLine } from './cars.ts'

type Of<T extends Outcome['type']> = Extract<Outcome, { type: T }>

export function lineComposed(state: DeliveryState, event: Of<'LineComposed'>): void {
  const story = storyOf(state, event.story)
  if (story.control.status !== 'composing') return
  const { base, commit, tree } = story.control
  const composed = { onto: event.onto, commit: event.commit, tree: event.tree }
  moveStory(story, 'composed', { base, commit, tree, composed, retry: 0, red: null })
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
  const { base, commit, tree } = story.control
  moveStory(story, 'joined', { base, commit, tree, joinedAs: event.to })
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
    const { base, commit, tree } = story.control
    story.queue = place++
    moveStory(story, 'laidAgain', { base, commit, tree, misfit: null })
  }
  for (const id of line.train.splice(0)) {
    const story = storyOf(state, id)
    if (story.control.status !== 'proving') continue
    const { base, commit, tree } = story.control
    moveStory(story, 'uncoupled', { base, commit, tree, misfit: null })
  }
}
