import type { DeliveryEvent, Envelope } from '../delivery/events.ts'
import type { Instant } from '../delivery/ids.ts'
import type { Finding } from '../delivery/judging/finding.ts'
import { openQuestions } from '../delivery/questions/due.ts'
import { barText } from '../delivery/shared/choosing.ts'
import { type DeliveryState, type Started, storiesOf, storyOf } from '../delivery/state.ts'
import type { CodeStory } from '../delivery/step.ts'
import { rungOf } from '../delivery/story/course/ladder.ts'
import type { StoryState } from '../delivery/story/story.ts'
import { storyReview } from './report/review.ts'
import { knownOf, stepText, uncountedIn } from './step-text.ts'
import { eventLine } from './story/event-line.ts'
import { intentView, sourcesView } from './story/intent-view.ts'
import { storyDetail } from './story/story-detail.ts'
import { deliveryWord, nextActions, toldConcerns } from './summary.ts'

/** Where a delivery is. What `status` shows, and its JSON. */
export type StatusView = ReturnType<typeof statusView>

export function statusView(state: DeliveryState, at: Instant) {
  const { request, mode, line, money } = state
  const word = deliveryWord(state, at)
  return {
    delivery: state.id,
    word,
    reason: reasonOf(state),
    requirement: request?.requirement.text ?? '',
    repository: request?.repository.path ?? '',
    target: request?.target ?? '',
    base: request?.base ?? '',
    requestedAt: request?.at ?? 0,
    endedAt: mode.status === 'ended' ? mode.at : null,
    // It came from a file, and is here to be looked at.
    imported: state.imported !== null,
    version: state.version,
    intent: intentView(state.intent),
    sources: sourcesView(state.intent),
    stories: storiesOf(state).map((story) => storyView(state, story)),
    // What is being done for the delivery as a whole.
    steps: runningFor(state, null).map(stepView),
    questions: openQuestions(state),
    concerns: toldConcerns(state),
    // Checks of which nothing but the exit code tells whether they passed.
    byExitCode: (state.policy?.checks ?? []).flatMap(({ name, parser }) => (parser === 'exit-code' ? [name] : [])),
    waits: waitsOf(state, at),
    absences: absencesView(state, at),
    line: { tip: line.tip, target: line.target, unlanded: line.commits.length },
    ...knownOf(money.usd, uncountedIn(money)),
    tokens: money.tokens,
    next: nextActions(state, word),
  }
}

function reasonOf(state: DeliveryState): string {
  if (state.mode.status === 'ended' || state.mode.status === 'stopping') return state.mode.reason
  return state.trouble === null ? '' : `${state.trouble.message} (${state.trouble.remedy})`
}

const runningFor = (state: DeliveryState, story: string | null): Started[] =>
  Object.values(state.running).filter((started) => started.step.story === story)

const stepView = ({ step, at, try: count }: Started) => ({
  ...{ verb: step.verb, text: stepText(step), since: at, try: count },
})

export type StoryView = ReturnType<typeof storyView>

export function storyView(state: DeliveryState, story: StoryState) {
  const { spec, control, attempt, round, turn } = story
  const [started] = runningFor(state, spec.id)
  const coder = coderOfNow(state, story)
  return {
    story: spec.id,
    title: spec.title,
    word: control.status,
    detail: storyDetail(state, story),
    dependsOn: spec.dependsOn,
    attempt,
    round,
    turns: turn,
    agent: coder?.agent ?? null,
    model: coder?.model ?? null,
    // Why it is this agent and model and not those that the ladder names; empty when they are.
    because: coder?.because ?? '',
    step: started === undefined ? null : stepView(started),
    findings: story.findings,
    // What nothing notices in its work: told, and in nobody's way.
    unnoticed: story.thisAttempt.unnoticed,
    review: storyReview(story),
    // A human's words that no coder has worked with yet.
    told: story.told.map(({ message }) => message),
    commit: commitOf(story),
    ...knownOf(state.money.byStory[spec.id]?.usd ?? 0, uncountedIn(state.money, spec.id)),
  }
}

/** Who is at work on it, else whom the ladder names. */
function coderOfNow(state: DeliveryState, story: StoryState): Pick<CodeStory, 'agent' | 'model' | 'because'> | null {
  for (const { step } of runningFor(state, story.spec.id)) if (step.verb === 'CodeStory') return step
  const rung = state.policy === null ? null : rungOf(state.policy, story)
  return rung === null ? null : { ...rung, because: '' }
}

function commitOf({ control }: StoryState): string | null {
  if (control.status === 'joined') return control.joinedAs
  return 'commit' in control ? control.commit : null
}

/** What is not done now, and why; it is looked at again then. */
export interface WaitView {
  until: Instant
  reason: string
}

export function waitsOf({ parked, mode }: DeliveryState, at: Instant): WaitView[] {
  if (mode.status === 'ended') return []
  return Object.values(parked).flatMap(({ until, reason }) => (until > at ? [{ until, reason }] : []))
}

/** An agent that takes no turns now. */
type AbsenceView = ReturnType<typeof absencesView>[number]

/** Those that are away at this moment, the ones that only a human can bring back first. */
export function absencesView(state: DeliveryState, at: Instant) {
  const away = Object.values(state.absences).filter(({ until }) => until === null || until > at)
  return away
    .map(({ agent, model, kind, until, message, remedy }) => ({ agent, model, kind, until, message, remedy }))
    .sort((a, b) => (a.until ?? 0) - (b.until ?? 0))
}

/** `claude is paused until 14:05 (rate-limit)`; the caller says how a time is written. */
export const absenceText = (absence: AbsenceView, timeText: (at: Instant) => string): string =>
  absence.until === null
    ? barText(absence)
    : `${absence.agent} is paused until ${timeText(absence.until)} (${absence.kind})`

/** Where a story is and how it came there, from recorded facts alone. */
export type WhyView = ReturnType<typeof whyView>

export function whyView(state: DeliveryState, id: string, events: Envelope[]) {
  const story = storyOf(state, id)
  return {
    story: storyView(state, story),
    description: story.spec.description,
    criteria: story.spec.criteria,
    past: story.past,
    history: events.flatMap(({ at, version, event }) => {
      const { text, story: about, notable } = eventLine(event)
      const isAbout = isAnswer(event) ? state.questions[event.question]?.question.story === id : notable && about === id
      return isAbout ? [{ at, version, text, findings: findingsIn(event) }] : []
    }),
    questions: openQuestions(state).filter((question) => question.story === id),
    waived: story.waived,
  }
}

/** What a human said about a story, or did not say in time. */
const isAnswer = (event: DeliveryEvent) => event.type === 'QuestionAnswered' || event.type === 'QuestionExpired'

/** Of whichever judge: what a verdict, a review or a conflict brought. */
export function findingsIn(event: DeliveryEvent): Finding[] {
  if (event.type === 'Judged') return event.verdict.status === 'findings' ? event.verdict.findings : []
  if (event.type === 'StoryReviewed') return event.word.status === 'returned' ? event.word.findings : []
  return event.type === 'ComposeConflicted' ? event.findings : []
}
