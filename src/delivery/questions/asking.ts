import { canonical } from '../../std/hash.ts'
import { never } from '../../std/never.ts'
import type { Outcome } from '../events.ts'
import type { Instant, StoryId } from '../ids.ts'
import { intentAnswered } from '../intent/settle.ts'
import { checksKey } from '../judging/base.ts'
import { answerChangedTests } from '../judging/contested.ts'
import { enterQueue } from '../judging/passing.ts'
import { planRejected } from '../plan/planning.ts'
import type { WorkingHours } from '../policy.ts'
import { answerUnverified } from '../review/course/agreeing.ts'
import { answerSplit, answerTriage } from '../review/course/sorting.ts'
import type { DeliveryState } from '../state.ts'
import { policyOf, storyOf } from '../state.ts'
import { permitted } from '../story/coding.ts'
import { settleWithout } from '../story/ladder.ts'
import { told } from '../story/told.ts'
import { deadlineAfter, openBetween } from './hours.ts'
import type { Answer, Question } from './question.ts'
import { answerEscalation, answerGap, answerSpecGate, answerTakeOver } from './unstick.ts'

export function questionAsked(
  state: DeliveryState,
  event: Extract<Outcome, { type: 'QuestionAsked' }>,
  at: Instant,
): void {
  const { question } = event
  const { limits, workingHours } = policyOf(state)
  const deadlineAt = question.default === null ? null : deadlineAfter(at, limits.questionDeadlineMs, workingHours)
  state.questions[question.id] = { question: { ...question, deadlineAt }, at, answer: null }
}

/** The first answer stands; a later one changes nothing. */
export function questionAnswered(state: DeliveryState, id: string, answer: Answer): void {
  const asked = state.questions[id]
  if (asked === undefined || asked.answer !== null) return
  asked.answer = answer
  applyAnswer(state, asked.question, answer)
}

function applyAnswer(state: DeliveryState, question: Question, answer: Answer): void {
  switch (question.kind) {
    case 'intent':
      return intentAnswered(state, question, answer)
    case 'plan-gate':
      if (answer.option === 'approve') state.plan.control = { status: 'approved' }
      else planRejected(state, answer.text)
      return
    case 'story-gate':
      return answerStoryGate(state, question.story!, answer)
    case 'escalation':
      return answerEscalation(state, storyOf(state, question.story!), answer)
    case 'coder':
      return answerCoder(state, question, answer)
    case 'permission':
      return answerPermission(state, question.story!, answer)
    case 'landing':
      state.line.landing = answer.option === 'land' ? { status: 'idle' } : { status: 'left' }
      if (answer.option === 'land') state.line.landings = 0
      return
    case 'trouble':
      if (answer.option === 'go-on') state.baseTried = checksKey(state)
      state.trouble = null
      state.parks = 0
      state.absences = {}
      if (answer.option === 'stop') state.mode = { status: 'stopping', reason: question.text }
      return
    case 'spec-gate':
      return answerSpecGate(state, storyOf(state, question.story!), answer)
    case 'intent-gap':
      return answerGap(state, storyOf(state, question.story!), answer)
    case 'take-over':
      return answerTakeOver(state, storyOf(state, question.story!), answer)
    case 'triage':
      return answerTriage(state, storyOf(state, question.story!), answer)
    case 'split':
      return answerSplit(state, storyOf(state, question.story!), answer)
    case 'unverified':
      return answerUnverified(state, storyOf(state, question.story!), answer)
    case 'changed-tests':
      return answerChangedTests(state, storyOf(state, question.story!), answer)
    default:
      never(question.kind)
  }
}

/** A human's no costs no attempt and no round. */
function answerStoryGate(state: DeliveryState, id: StoryId, answer: Answer): void {
  const story = storyOf(state, id)
  if (story.control.status !== 'gated') return
  const { base, commit, tree } = story.control
  if (answer.option === 'approve') return enterQueue(state, story, { base, commit, tree })
  if (answer.option === 'skip')
    return settleWithout(state, story, { status: 'skipped', reason: answer.text || 'a human said so', because: null })
  story.findings = [told(answer.text)]
  story.failures = null
  // Other tests are to be shown to fail as well, as long as the code that they are for is not there.
  if (story.kind === 'acceptance' && base === state.request?.base) story.red = null
  story.tally.rounds = 1
  story.tally.turnsBefore = story.turn
  story.round += 1
  story.control = { status: 'coding', base, from: commit }
}

function answerCoder(state: DeliveryState, question: Question, answer: Answer): void {
  const story = storyOf(state, question.story!)
  if (story.control.status !== 'asking') return
  const { base, from } = story.control
  const option = question.options.find((one) => one.id === answer.option)?.label ?? answer.option
  const words = [option, answer.text].filter((part) => part !== '').join(': ')
  story.findings = [...story.findings, told(`You asked: ${story.control.text}\nThe answer: ${words}`)]
  story.round += 1
  story.tally.turnsBefore = story.turn
  story.control = { status: 'coding', base, from }
}

/** A human who answers refuels the story; a deadline that passes does not. */
function answerPermission(state: DeliveryState, id: StoryId, answer: Answer): void {
  const story = storyOf(state, id)
  if (story.control.status !== 'asking' || story.control.permission === null) return
  const { permission } = story.control
  if (answer.by !== 'deadline') story.tally.turnsBefore = story.turn
  permitted(state, story, { ...story.control, permission, allow: answer.option === 'allow' })
}

/** A pause does not eat into a deadline. */
export function shiftDeadlines(state: DeliveryState, since: Instant, until: Instant): void {
  const { workingHours } = policyOf(state)
  moveDeadlines(state, { at: since, hours: workingHours }, { at: until, hours: workingHours })
}

/** Under other hours there is as much time left as before. */
export function rethinkDeadlines(state: DeliveryState, before: WorkingHours | null, now: Instant): void {
  const { mode } = state
  const { workingHours: hours } = policyOf(state)
  if (canonical(before) === canonical(hours)) return
  const at = mode.status === 'paused' ? mode.since : mode.status === 'ended' ? mode.at : now
  moveDeadlines(state, { at, hours: before }, { at, hours })
}

interface Time {
  at: Instant
  hours: WorkingHours | null
}

function moveDeadlines(state: DeliveryState, from: Time, to: Time): void {
  for (const { question, answer } of Object.values(state.questions)) {
    if (answer !== null || question.deadlineAt === null) continue
    const left = openBetween(from.at, question.deadlineAt, from.hours)
    question.deadlineAt = deadlineAfter(to.at, left, to.hours)
  }
}
