import { endingWith } from './completion.ts'
import type { DeliveryEvent, Envelope, Human, Interim, Outcome } from './events.ts'
import type { Instant } from './ids.ts'
import { intentReducers } from './intent/course/evolve.ts'
import {
  composeConflicted,
  fixStoryAdded,
  landed,
  landingRefused,
  lineAdvanced,
  lineComposed,
} from './line/course/merging.ts'
import { spend, warnings } from './money/ledger.ts'
import { planDrafted, planFaulted, planGiven } from './plan/course/planning.ts'
import { amend, specReducers } from './plan/course/respecifying.ts'
import { questionAnswered, questionAsked } from './questions/due.ts'
import { goOnAfterWaiver, reviewReducers } from './review/course/evolve.ts'
import { route } from './route.ts'
import { isCrowded } from './shared/agents.ts'
import { answered } from './shared/choosing.ts'
import { checksKey } from './shared/room.ts'
import { type DeliveryState, policyOf, type Reducers, raiseConcern, reduce, storyOf } from './state.ts'
import type { Step } from './step.ts'
import { isIrrevocable, usesAgent, whoTakes } from './step.ts'
import { lifecycle } from './stepping/lifecycle.ts'
import { accepts, stepping } from './stepping/stepping.ts'
import { refuel, settleWithout } from './story/course/attempts.ts'
import { coderAsked, codingFailed, rememberSession, storyCoded, storyTidied } from './story/course/coding.ts'
import { judged } from './story/course/judging.ts'
import { type StoryState, told } from './story/story.ts'

/** What is now true. In place: the state is the caller's own. */
export function evolve(state: DeliveryState, { event, version, at }: Envelope): DeliveryState {
  state.version = version
  const heard = state.concerns.length
  if (isOutcome(event)) evolveOutcome(state, event, at)
  else reduce(others, state, { event, given: at })
  if (!isInterim(event)) route(state)
  state.ending = endingWith(state, event, heard)
  return state
}

export const isOutcome = (event: DeliveryEvent): event is Outcome => Object.hasOwn(outcomes, event.type)

/** What a step tells while it runs. No rule reads what becomes of it, so nothing can follow from it for others. */
const isInterim = (event: DeliveryEvent): event is Interim => Object.hasOwn(interim, event.type)

/** Only a step that is running, and that nothing has overtaken, can have an outcome. A late one changes nothing. */
function evolveOutcome(state: DeliveryState, event: Outcome, at: Instant): void {
  const step = state.running[event.step]?.step
  if (step === undefined || !accepts(state, event.step)) return
  if (usesAgent(step)) answered(state.absences, whoTakes(step))
  reduce(outcomes, state, { event, given: { step, at } })
}

const outcomes: Reducers<Outcome, { step: Step; at: Instant }> = {
  ...intentReducers,
  ...specReducers,
  ...reviewReducers,
  BaseTried(state) {
    state.baseTried = checksKey(state)
  },
  PlanDrafted(state, { plan, revision }) {
    state.plan.turns += 1
    planDrafted(state, plan, revision)
  },
  PlanFaulted(state, { problems }) {
    state.plan.turns += 1
    planFaulted(state, problems)
  },
  QuestionAsked: (state, event, { at }) => questionAsked(state, event, at),
  QuestionExpired: (state, { question, option }, { at }) =>
    questionAnswered(state, question, { option, text: '', by: 'deadline', at }),
  StoryCoded: storyCoded,
  CodingFailed: codingFailed,
  CoderAsked: coderAsked,
  StoryTidied: storyTidied,
  Judged: (state, event, { step }) => judged(state, event, 'base' in step ? step.base : null),
  LineComposed: lineComposed,
  ComposeConflicted: composeConflicted,
  LineAdvanced: lineAdvanced,
  Landed: landed,
  LandingRefused: landingRefused,
  FixStoryAdded: fixStoryAdded,
  DeliveryCompleted(state, { result, reason, concerns }, { at }) {
    state.mode = { status: 'ended', result, reason, concerns, at }
    state.money.reserved = {}
    keepIrrevocable(state)
  },
}

/** What cannot be called back is taken up again when the delivery is. */
function keepIrrevocable(state: DeliveryState): void {
  const kept = Object.values(state.running).filter(({ step }) => isIrrevocable(step))
  state.running = Object.fromEntries(kept.map((started) => [started.step.id, { ...started, lost: 0 }]))
}

const interim: Reducers<Interim> = {
  SessionOpened(state, { step, session }) {
    const story = attemptOf(state, step)
    if (story !== null) rememberSession(story, session)
  },
  TurnSpent: turnSpent,
  DayNearlySpent(state, { day, text }) {
    if (state.mode.status === 'ended') return
    state.money.scarceDay = day
    raiseConcern(state, text)
  },
  DaySpent(state, { day, text }) {
    state.money.spentDay = { day, text }
  },
  ConcernRaised(state, { story, text }) {
    if (state.mode.status !== 'ended') raiseConcern(state, story === null ? text : `${story}: ${text}`)
  },
  AgentStarted(state, { again }) {
    // The first of a step was counted with the step.
    if (again !== undefined) state.agentStarts += 1
  },
  LandingBegun({ line }, { step, checkouts }) {
    if (line.begun?.id === step) line.begunIn = checkouts
  },
  WorkArchived() {},
  HiccupNoted() {},
}

/** The story of a running coding step, if this attempt is still its attempt. */
function attemptOf(state: DeliveryState, id: string): StoryState | null {
  const step = state.running[id]?.step
  if (step?.verb !== 'CodeStory') return null
  const story = storyOf(state, step.story)
  return story.attempt === step.attempt ? story : null
}

/** Every turn counts, also a late or a lost one. */
function turnSpent(
  state: DeliveryState,
  { step, turn, totals, context }: Extract<Interim, { type: 'TurnSpent' }>,
): void {
  spend(state.money, turn)
  const attempt = attemptOf(state, step)?.thisAttempt
  if (attempt?.session?.agent === turn.agent) {
    const { session } = attempt
    const crowded = isCrowded(policyOf(state).agents[turn.agent], { context, model: turn.model })
    attempt.session = { ...session, totals: totals ?? session.totals, ...(crowded ? { crowded } : {}) }
  }
  if (state.mode.status === 'ended') return
  for (const text of warnings(state.money, policyOf(state).ceilings, turn.story)) raiseConcern(state, text)
}

const human: Reducers<Human> = {
  QuestionAnswered: (state, { question, option, text, by }, at) =>
    questionAnswered(state, question, { option, text, by, at }),
  StoryTold(state, { story: id, text }) {
    const story = storyOf(state, id)
    story.told = [...story.told, told(text)]
  },
  StoryRetried(state, { story: id, advice }) {
    const story = storyOf(state, id)
    if (advice !== '') story.findings = [...story.findings, told(advice)]
    state.absences = {}
    refuel(state, story)
  },
  StorySkipped: (state, { story, reason }) =>
    settleWithout(state, storyOf(state, story), { status: 'skipped', reason, because: null }),
  StoryAmended: (state, { story, changes }) => amend(state, storyOf(state, story), changes),
  FindingWaived(state, { story: id, fingerprint }) {
    const story = storyOf(state, id)
    story.waived.push(fingerprint)
    goOnAfterWaiver(state, story)
  },
}

const others: Reducers<Exclude<DeliveryEvent, Outcome>> = {
  ...lifecycle,
  ...stepping,
  ...interim,
  ...human,
  PlanGiven: (state, { plan, revision }) => planGiven(state, plan, revision),
}
