import type { Instant } from '../delivery/ids.ts'
import type { Finding } from '../delivery/judging/finding.ts'
import type { Question } from '../delivery/question.ts'
import { openQuestions } from '../delivery/questions/due.ts'
import { type DeliveryState, type Started, storiesOf } from '../delivery/state.ts'
import type { CodeStory } from '../delivery/step.ts'
import { rungOf } from '../delivery/story/course/ladder.ts'
import type { StoryState } from '../delivery/story/story.ts'
import { type AbsenceView, absencesView } from './absences.ts'
import { type StoryReview, storyReview } from './review/story-review.ts'
import { knownOf, stepText, uncountedIn } from './step-text.ts'
import { type IntentView, intentView, type SourceView, sourcesView } from './story/intent-view.ts'
import { storyDetail } from './story/story-detail.ts'
import { nextActions } from './what-to-do.ts'
import { type DeliveryWord, deliveryWord, type StoryWord, toldConcerns } from './word.ts'

/** Where a delivery is. What `status` shows, and its JSON. */
export interface StatusView {
  delivery: string
  word: DeliveryWord
  reason: string
  requirement: string
  repository: string
  target: string
  base: string
  requestedAt: Instant
  endedAt: Instant | null
  /** It came from a file, and is here to be looked at. */
  imported: boolean
  version: number
  /** What it is taken to mean; null where nobody looks into that. */
  intent: IntentView | null
  sources: SourceView[]
  stories: StoryView[]
  /** What is being done for the delivery as a whole. */
  steps: StepView[]
  questions: Question[]
  concerns: string[]
  /** Checks of which nothing but the exit code tells whether they passed. */
  byExitCode: string[]
  /** What is not done now, and why; it is looked at again then. */
  waits: WaitView[]
  /** Agents that take no turns now. */
  absences: AbsenceView[]
  line: { tip: string; target: string; unlanded: number }
  /** Null when nothing of it is known; see `usdKnown`. */
  usd: number | null
  usdKnown: boolean
  tokens: number
  /** What the reader can do now, as commands. */
  next: string[]
}

export interface StoryView {
  story: string
  title: string
  word: StoryWord
  detail: string
  dependsOn: string[]
  attempt: number
  round: number
  turns: number
  agent: string | null
  model: string | null
  /** Why it is this agent and model and not those that the ladder names; empty when they are. */
  because: string
  step: StepView | null
  findings: Finding[]
  /** What nothing notices in its work: told, and in nobody's way. */
  unnoticed: string[]
  /** Null where nobody has reviewed it. */
  review: StoryReview | null
  /** A human's words that no coder has worked with yet. */
  told: string[]
  commit: string | null
  /** Null when nothing of it is known; see `usdKnown`. */
  usd: number | null
  usdKnown: boolean
}

interface StepView {
  verb: string
  text: string
  since: Instant
  try: number
}

export interface WaitView {
  until: Instant
  reason: string
}

export const waitsOf = ({ parked, mode }: DeliveryState, at: Instant): WaitView[] =>
  mode.status === 'ended'
    ? []
    : Object.values(parked).flatMap(({ until, reason }) => (until > at ? [{ until, reason }] : []))

export function statusView(state: DeliveryState, at: Instant): StatusView {
  const { request, mode, line, money } = state
  return {
    delivery: state.id,
    word: deliveryWord(state, at),
    reason: reasonOf(state),
    requirement: request?.requirement.text ?? '',
    repository: request?.repository.path ?? '',
    target: request?.target ?? '',
    base: request?.base ?? '',
    requestedAt: request?.at ?? 0,
    endedAt: mode.status === 'ended' ? mode.at : null,
    imported: state.imported !== null,
    version: state.version,
    intent: intentView(state.intent),
    sources: sourcesView(state.intent),
    stories: storiesOf(state).map((story) => storyView(state, story)),
    steps: runningFor(state, null).map(stepView),
    questions: openQuestions(state),
    concerns: toldConcerns(state),
    byExitCode: (state.policy?.checks ?? []).flatMap(({ name, parser }) => (parser === 'exit-code' ? [name] : [])),
    waits: waitsOf(state, at),
    absences: absencesView(state, at),
    line: { tip: line.tip, target: line.target, unlanded: line.commits.length },
    ...knownOf(money.usd, uncountedIn(money)),
    tokens: money.tokens,
    next: nextActions(state, at),
  }
}

function reasonOf(state: DeliveryState): string {
  if (state.mode.status === 'ended' || state.mode.status === 'stopping') return state.mode.reason
  return state.trouble === null ? '' : `${state.trouble.message} (${state.trouble.remedy})`
}

const runningFor = (state: DeliveryState, story: string | null): Started[] =>
  Object.values(state.running).filter((started) => started.step.story === story)

const stepView = ({ step, at, try: count }: Started): StepView => ({
  ...{ verb: step.verb, text: stepText(step), since: at, try: count },
})

export function storyView(state: DeliveryState, story: StoryState): StoryView {
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
    because: coder?.because ?? '',
    step: started === undefined ? null : stepView(started),
    findings: story.findings,
    unnoticed: story.thisAttempt.unnoticed,
    review: storyReview(story),
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
