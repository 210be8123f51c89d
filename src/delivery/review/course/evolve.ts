import type { ReviewOutcome } from '../../events.ts'
import type { Work } from '../../ids.ts'
import { blocks, type Finding, isOfReview } from '../../judging/finding.ts'
import { plainStory, type Story } from '../../plan/plan.ts'
import { type DeliveryState, policyOf, type Reducers, storyOf } from '../../state.ts'
import type { ReviewStory, Step } from '../../step.ts'
import { exhaust, pass, reviveDependents } from '../../story/course/attempts.ts'
import { leaveWhenJudged } from '../../story/course/judging.ts'
import { freshStory, type StoryState, workOf } from '../../story/story.ts'
import { moveStory, waivable } from '../../story/transitions.ts'
import type { ReviewSubject, ReviewWord } from '../review.ts'
import { usable } from './due.ts'
import { seatsOf } from './seats.ts'
import { approve, findingsReproduced, findingsTriaged, triageFaulted } from './sorting.ts'

/** Reviewers, the triager and tests of findings have said something. */
export const reviewReducers: Reducers<ReviewOutcome, { step: Step }> = {
  StoryReviewed(state, { story, word }, { step }) {
    if (step.verb === 'ReviewStory') hear(storyOf(state, story), step, word)
  },
  FindingsTriaged: (state, { story, sorted }) => findingsTriaged(state, storyOf(state, story), sorted),
  TriageFaulted: (state, { story, problems }) => triageFaulted(state, storyOf(state, story), problems),
  FindingsReproduced: (state, event) => findingsReproduced(state, storyOf(state, event.story), event),
}

/** The world refused a turn of those who only look: who cannot look is absent. Others end otherwise: false. */
export function reviewingFailed(state: DeliveryState, step: Step, message: string): boolean {
  switch (step.verb) {
    case 'ReviewStory':
      hear(storyOf(state, step.story), step, { status: 'absent', reason: message })
      return true
    case 'TriageFindings':
      triageFaulted(state, storyOf(state, step.story), [message])
      return true
    case 'ReproduceFindings':
      findingsReproduced(state, storyOf(state, step.story), { reproductions: [], red: null })
      return true
    default:
      return false
  }
}

function hear(story: StoryState, { vantage, agent, model, rebuts }: ReviewStory, word: ReviewWord): void {
  const { review } = story
  if (rebuts.length > 0) {
    const rebuttals = word.status === 'returned' ? word.rebuttals : []
    review.rebuttals = { ...review.rebuttals, [vantage]: rebuttals }
  } else review.words = { ...review.words, [vantage]: { agent, model, word: usable(word) } }
}

/** All judges have passed: reviewers look at it, where there are any. Tests for the whole are judged with the whole. */
export function enterReview(state: DeliveryState, story: StoryState, work: Work): void {
  const { base, commit } = work
  const nobody = seatsOf(policyOf(state)).length === 0
  if (nobody && story.kind === 'review') return exhaust(state, story, 'nobody is there to review (review.reviewers)')
  const { review } = story
  // What passed earlier is not this.
  if (nobody) review.approved = null
  if (nobody || story.kind === 'acceptance') return pass(state, story, work)
  if (commit === base && story.kind !== 'review') {
    review.approved = commit
    return pass(state, story, work)
  }
  review.round += 1
  review.words = {}
  review.rebuttals = {}
  review.split = []
  review.unverified = false
  review.trustedBy = null
  moveStory(story, 'reviewBegan', { ...workOf(work), stage: 'review', retry: 0 })
}

/** Under other settings others look at it, or nobody does: what was said so far does not count. */
export function reviewAnew(state: DeliveryState, story: StoryState): void {
  const { control } = story
  switch (control.status) {
    case 'reviewing':
    case 'triaging':
    case 'disputed':
    case 'reproducing':
      story.review.before += 1
      return enterReview(state, story, control)
    default:
      return
  }
}

/** After a waiver: when nothing is left that blocks, the judged commit goes on from where it was stopped. */
export function goOnAfterWaiver(state: DeliveryState, story: StoryState): void {
  const { judged, control } = story
  const open = story.findings.some(
    (finding) => finding.source !== 'coder' && holds(state, finding) && !story.waived.includes(finding.fingerprint),
  )
  if (judged === null || open || !waivable.some((status) => status === control.status)) return
  const { phase, red } = judged
  story.findings = []
  // It is of another part, begun anew since.
  if (story.phase !== phase) story.thisAttempt.session = null
  story.phase = phase
  story.red = red
  if (judged.judge === 'review') {
    reviveDependents(state, story)
    return approve(state, story, judged)
  }
  moveStory(story, 'findingWaived', { ...workOf(judged), passed: [...judged.passed, judged.judge], retry: 0 })
  reviveDependents(state, story)
  leaveWhenJudged(state, story)
}

/** Of what reviewers say, the settings say what sends it back. */
const holds = (state: DeliveryState, finding: Finding): boolean =>
  isOfReview(finding) ? policyOf(state).review.blocks.includes(finding.severity) : blocks(finding)

/** A delivery that only wants a review has one story, whose work is there already. */
export function beginReview(state: DeliveryState): void {
  const subject = state.request?.review ?? null
  if (subject === null || state.order.length > 0) return
  const spec = storyOfSubject(subject)
  const story = freshStory(spec, 'review')
  story.review.calls = subject.calls
  state.plan.plan = { stories: [spec], outline: null }
  state.plan.control = { status: 'approved' }
  state.plan.revision = 1
  state.order = [spec.id]
  state.stories = { [spec.id]: story }
}

const storyOfSubject = ({ title, description, criteria }: ReviewSubject): Story =>
  plainStory({
    id: 'review',
    title,
    description,
    criteria,
    complexity: 1,
    mayBeEmpty: true,
    strategy: 'none',
    noTestsBecause: 'it is only looked at',
  })
