import { never } from '../std/never.ts'
import { adopted, imported } from './adopting/adopting.ts'
import { answered } from './agents/absence.ts'
import { isCrowded } from './agents/context-window.ts'
import { endingWith } from './completion.ts'
import type { DeliveryEvent, Envelope, Human, Interim, Lifecycle, Outcome } from './events.ts'
import type { Instant } from './ids.ts'
import { evolveIntent, followIntent } from './intent/evolve.ts'
import { checksKey, isStopped } from './judging/base.ts'
import { goOnAfterWaiver, judged } from './judging/judging.ts'
import { settleTrain } from './merging/cars.ts'
import { fixStoryAdded } from './merging/mending.ts'
import { composeConflicted, landed, landingRefused, lineAdvanced, lineComposed } from './merging/merging.ts'
import { spend, warnings } from './money/money.ts'
import { settleDepartures } from './plan/departures.ts'
import { planDrafted, planFaulted, planGiven } from './plan/planning.ts'
import { amend, evolveSpecs, rethinkSpecs } from './plan/respecifying.ts'
import { questionAnswered, questionAsked, rethinkDeadlines, shiftDeadlines } from './questions/asking.ts'
import { leaveQuestions } from './questions/registry.ts'
import { reviewAnew } from './review/course/entering.ts'
import { settleReviews } from './review/course/settling.ts'
import { evolveReview } from './review/evolve.ts'
import { beginReview } from './review/subject.ts'
import type { DeliveryState } from './state.ts'
import { policyOf, raiseConcern, storiesOf, storyOf } from './state.ts'
import type { Step } from './step.ts'
import { isIrrevocable, usesAgent, whoTakes } from './step.ts'
import { accepts, evolveStepping } from './stepping/stepping.ts'
import { rethinkAcceptance, settleAcceptance } from './story/acceptance.ts'
import { coderAsked, codingFailed, rememberSession, storyCoded, storyTidied } from './story/coding.ts'
import { refuel, settleWithout } from './story/ladder.ts'
import type { StoryState } from './story/story.ts'
import { rethinkPhase } from './story/strategy.ts'
import { told } from './story/told.ts'

/** What is now true. In place: the state is the caller's own. */
export function evolve(state: DeliveryState, { event, version, at }: Envelope): DeliveryState {
  state.version = version
  const heard = state.concerns.length
  if ('step' in event && isOutcome(event)) evolveOutcome(state, event, at)
  else evolveRest(state, event as Exclude<DeliveryEvent, Outcome>, at)
  settleReviews(state)
  settleAcceptance(state)
  settleTrain(state)
  settleAcceptance(state)
  settleDepartures(state)
  state.ending = endingWith(state, event, heard)
  return state
}

const outcomeTypes = new Set<string>([
  'BaseTried',
  'PlanDrafted',
  'PlanFaulted',
  'QuestionAsked',
  'QuestionExpired',
  'StoryCoded',
  'CodingFailed',
  'CoderAsked',
  'StoryTidied',
  'Judged',
  'LineComposed',
  'ComposeConflicted',
  'LineAdvanced',
  'Landed',
  'LandingRefused',
  'FixStoryAdded',
  'DeliveryCompleted',
  'ContextHarvested',
  'RequirementRead',
  'ReadingFaulted',
  'AssumptionsChecked',
  'ExamplesTried',
  'PlanAudited',
  'StoryRespecified',
  'StoryUpheld',
  'StorySplit',
  'RespecifyFaulted',
  'WorkspaceLent',
  'StoryReviewed',
  'FindingsTriaged',
  'TriageFaulted',
  'FindingsReproduced',
] satisfies Outcome['type'][])

export const isOutcome = (event: DeliveryEvent): event is Outcome => outcomeTypes.has(event.type)

/** Only a step that is running, and that nothing has overtaken, can have an outcome. A late one changes nothing. */
function evolveOutcome(state: DeliveryState, event: Outcome, at: Instant): void {
  const step = state.running[event.step]?.step
  if (step === undefined || !accepts(state, event.step)) return
  if (usesAgent(step)) answered(state.absences, whoTakes(step))
  applyOutcome(state, event, { step, at })
}

function applyOutcome(state: DeliveryState, event: Outcome, { step, at }: { step: Step; at: Instant }): void {
  switch (event.type) {
    case 'BaseTried':
      state.baseTried = checksKey(state)
      return
    case 'PlanDrafted':
      state.plan.turns += 1
      return planDrafted(state, event.plan, event.revision)
    case 'PlanFaulted':
      state.plan.turns += 1
      return planFaulted(state, event.problems)
    case 'QuestionAsked':
      return questionAsked(state, event, at)
    case 'QuestionExpired':
      return questionAnswered(state, event.question, { option: event.option, text: '', by: 'deadline', at })
    case 'StoryCoded':
      return storyCoded(state, event)
    case 'CodingFailed':
      return codingFailed(state, event)
    case 'CoderAsked':
      return coderAsked(state, event)
    case 'StoryTidied':
      return storyTidied(state, event)
    case 'Judged':
      return judged(state, event, 'base' in step ? step.base : null)
    case 'LineComposed':
      return lineComposed(state, event)
    case 'ComposeConflicted':
      return composeConflicted(state, event)
    case 'LineAdvanced':
      return lineAdvanced(state, event)
    case 'Landed':
      return landed(state, event)
    case 'LandingRefused':
      return landingRefused(state, event)
    case 'FixStoryAdded':
      return fixStoryAdded(state, event)
    case 'DeliveryCompleted':
      return end(state, event, at)
    case 'ContextHarvested':
    case 'RequirementRead':
    case 'ReadingFaulted':
    case 'AssumptionsChecked':
    case 'ExamplesTried':
      return evolveIntent(state, event, step)
    case 'PlanAudited':
    case 'StoryRespecified':
    case 'StoryUpheld':
    case 'StorySplit':
    case 'RespecifyFaulted':
    case 'WorkspaceLent':
      return evolveSpecs(state, event)
    case 'StoryReviewed':
    case 'FindingsTriaged':
    case 'TriageFaulted':
    case 'FindingsReproduced':
      return evolveReview(state, event, step)
    default:
      never(event)
  }
}

function end(state: DeliveryState, event: Extract<Outcome, { type: 'DeliveryCompleted' }>, at: Instant): void {
  const { result, reason, concerns } = event
  state.mode = { status: 'ended', result, reason, concerns, at }
  state.money.reserved = {}
  keepIrrevocable(state)
}

/** What cannot be called back is taken up again when the delivery is. */
function keepIrrevocable(state: DeliveryState): void {
  const kept = Object.values(state.running).filter(({ step }) => isIrrevocable(step))
  state.running = Object.fromEntries(kept.map((started) => [started.step.id, { ...started, lost: 0 }]))
}

function evolveRest(state: DeliveryState, event: Exclude<DeliveryEvent, Outcome>, at: Instant): void {
  switch (event.type) {
    case 'DeliveryRequested':
    case 'PolicyPinned':
    case 'DeliveryPaused':
    case 'DeliveryResumed':
    case 'DeliveryStopping':
    case 'DeliveryReopened':
    case 'DeliveryImported':
    case 'DeliveryAdopted':
      return evolveLifecycle(state, event, at)
    case 'PlanGiven':
      return planGiven(state, event.plan, event.revision)
    case 'StepStarted':
    case 'StepParked':
    case 'AgentRefused':
    case 'StepAborted':
    case 'StepFailed':
      return evolveStepping(state, event, at)
    case 'AgentStarted':
    case 'SessionOpened':
    case 'TurnSpent':
    case 'DayNearlySpent':
    case 'DaySpent':
    case 'WorkArchived':
    case 'ConcernRaised':
    case 'LandingBegun':
    case 'HiccupNoted':
      return evolveInterim(state, event)
    case 'QuestionAnswered':
    case 'StoryTold':
    case 'StoryRetried':
    case 'StorySkipped':
    case 'StoryAmended':
    case 'FindingWaived':
      return evolveHuman(state, event, at)
    default:
      never(event)
  }
}

function evolveLifecycle(state: DeliveryState, event: Lifecycle, at: Instant): void {
  switch (event.type) {
    case 'DeliveryRequested': {
      const { requirement, repository, target, base, review } = event
      state.request = { requirement, repository, target, base, review, at }
      state.line.tip = base
      state.line.target = base
      return
    }
    case 'PolicyPinned': {
      const isOther = state.policyHash !== event.hash
      const hours = state.policy?.workingHours ?? null
      if (isOther) forgetFormer(state)
      // Whoever pins settings has seen to what was wrong with them.
      if (isStopped(state)) state.trouble = null
      state.policy = event.policy
      rethinkDeadlines(state, hours, at)
      state.policyHash = event.hash
      if (isOther) for (const story of storiesOf(state)) reviewAnew(state, story)
      beginReview(state)
      followIntent(state)
      for (const story of storiesOf(state)) rethinkPhase(state, story)
      rethinkSpecs(state)
      if (event.policy.unattended) leaveQuestions(state)
      return rethinkAcceptance(state)
    }
    case 'DeliveryPaused':
      state.mode = { status: 'paused', since: state.mode.status === 'paused' ? state.mode.since : at, now: event.now }
      return
    case 'DeliveryResumed':
      return goOn(state, at)
    case 'DeliveryStopping':
      goOn(state, at)
      state.mode = { status: 'stopping', reason: event.reason }
      return
    case 'DeliveryReopened':
      goOn(state, at)
      state.parks = 0
      state.trouble = null
      state.line.whole = null
      state.line.silences = 0
      state.line.landings = 0
      state.line.landing = { status: 'idle' }
      return
    case 'DeliveryImported':
      return imported(state, event, at)
    case 'DeliveryAdopted':
      return adopted(state, event)
    default:
      never(event)
  }
}

/** Other agents, commands, or another environment: what held under the former policy need not hold under this one. */
function forgetFormer(state: DeliveryState): void {
  state.absences = {}
  state.proven = {}
  state.line.whole = null
  state.line.silences = 0
  for (const { control } of storiesOf(state)) {
    if (control.status === 'judging') control.passed = []
    if (control.status === 'proving') control.red = null
  }
}

/** Time in which nobody could have acted does not count towards a deadline. A human may have seen to the agents. */
function goOn(state: DeliveryState, at: Instant): void {
  const { mode } = state
  if (mode.status === 'paused') shiftDeadlines(state, mode.since, at)
  if (mode.status === 'ended') shiftDeadlines(state, mode.at, at)
  state.absences = {}
  state.money.spentDay = null
  state.resumedAt = at
  state.mode = { status: 'active' }
}

function evolveInterim(state: DeliveryState, event: Interim): void {
  switch (event.type) {
    case 'SessionOpened': {
      const story = attemptOf(state, event.step)
      return story === null ? undefined : rememberSession(story, event.session)
    }
    case 'TurnSpent':
      return turnSpent(state, event)
    case 'DayNearlySpent':
      if (state.mode.status === 'ended') return
      state.money.scarceDay = event.day
      return raiseConcern(state, event.text)
    case 'DaySpent':
      state.money.spentDay = { day: event.day, text: event.text }
      return
    case 'ConcernRaised':
      if (state.mode.status === 'ended') return
      return raiseConcern(state, event.story === null ? event.text : `${event.story}: ${event.text}`)
    case 'AgentStarted':
      // The first of a step was counted with the step.
      if (event.again !== undefined) state.agentStarts += 1
      return
    case 'LandingBegun':
      if (state.line.begun?.id === event.step) state.line.begunIn = event.checkouts
      return
    case 'WorkArchived':
    case 'HiccupNoted':
      return
    default:
      never(event)
  }
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
  const story = attemptOf(state, step)
  if (story?.session?.agent === turn.agent && totals !== null) story.session = { ...story.session, totals }
  if (
    story?.session?.agent === turn.agent &&
    isCrowded(policyOf(state).agents[turn.agent], { context, model: turn.model })
  )
    story.session = { ...story.session, crowded: true }
  if (state.mode.status === 'ended') return
  for (const text of warnings(state.money, policyOf(state).ceilings, turn.story)) raiseConcern(state, text)
}

function evolveHuman(state: DeliveryState, event: Human, at: Instant): void {
  switch (event.type) {
    case 'QuestionAnswered':
      return questionAnswered(state, event.question, { option: event.option, text: event.text, by: event.by, at })
    case 'StoryTold': {
      const story = storyOf(state, event.story)
      story.told = [...story.told, told(event.text)]
      return
    }
    case 'StoryRetried': {
      const story = storyOf(state, event.story)
      if (event.advice !== '') story.findings = [...story.findings, told(event.advice)]
      state.absences = {}
      return refuel(state, story)
    }
    case 'StorySkipped':
      return settleWithout(state, storyOf(state, event.story), {
        status: 'skipped',
        reason: event.reason,
        because: null,
      })
    case 'StoryAmended':
      return amend(state, storyOf(state, event.story), event.changes)
    case 'FindingWaived': {
      const story = storyOf(state, event.story)
      story.waived.push(event.fingerprint)
      return goOnAfterWaiver(state, story)
    }
    default:
      never(event)
  }
}
