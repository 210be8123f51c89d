import { dueSteps } from '../delivery/due.ts'
import type { Instant } from '../delivery/ids.ts'
import { openQuestions } from '../delivery/questions/due.ts'
import { answerCommand } from '../delivery/questions/registry.ts'
import { type DeliveryState, storiesOf } from '../delivery/state.ts'
import { results } from '../delivery/step.ts'
import { isSettled, type StoryControl } from '../delivery/story/story.ts'
import { nobodyLeft } from '../delivery/takers.ts'
import { never } from '../std/never.ts'
import { knownOf, uncountedIn } from './step-text.ts'

/** Every word a delivery can be described by, wherever it is shown. */
export const deliveryWords = ['planning', 'working', 'landing', 'waiting', 'paused', 'stopping', ...results] as const
export type DeliveryWord = (typeof deliveryWords)[number]

/** The same for a story, where it is on its way to the target: the law's own list. */
export type StoryWord = StoryControl['status']

export function deliveryWord(state: DeliveryState, at: Instant): DeliveryWord {
  const { mode } = state
  if (mode.status === 'ended') return mode.result
  if (mode.status !== 'active') return mode.status
  if (isStill(state, at)) return 'waiting'
  if (state.plan.control.status !== 'approved') return 'planning'
  return storiesOf(state).every(isSettled) ? 'landing' : 'working'
}

/** Nothing can be done now: a human has to answer, or a limit has to pass. */
function isStill(state: DeliveryState, at: Instant): boolean {
  return state.request !== null && dueSteps(state, { at, day: '', open: true, changesAt: null }).steps.length === 0
}

/** What is to be told besides the word: the end knows more than what was raised on the way. */
export const toldConcerns = ({ mode, concerns }: DeliveryState): string[] =>
  mode.status === 'ended' ? mode.concerns : concerns

/** What came of it: shown when a delivery ends or stops to wait. */
export type SummaryView = ReturnType<typeof summaryView>

export function summaryView(state: DeliveryState, at: Instant) {
  const { mode, request, money } = state
  const stories = storiesOf(state)
  const word = deliveryWord(state, at)
  return {
    delivery: state.id,
    word,
    reason: mode.status === 'ended' ? mode.reason : '',
    target: request?.target ?? '',
    tookMs: (mode.status === 'ended' ? mode.at : at) - (request?.at ?? at),
    merged: stories.flatMap(({ spec, control }) =>
      control.status === 'merged' ? [{ story: spec.id, title: spec.title, commit: control.commit }] : [],
    ),
    // Proven and on the line, but not on the target.
    joined: stories.flatMap(({ spec, control }) =>
      control.status === 'joined' ? [{ story: spec.id, title: spec.title, commit: control.joinedAs }] : [],
    ),
    left: stories.flatMap(({ spec, control }) =>
      'reason' in control ? [{ story: spec.id, word: control.status, reason: control.reason }] : [],
    ),
    concerns: toldConcerns(state),
    ...knownOf(money.usd, uncountedIn(money)),
    tokens: money.tokens,
    turns: Object.values(money.entries).reduce((sum, entry) => sum + entry.turns, 0),
    next: nextActions(state, word),
  }
}

/** What the reader can do now, as commands. Empty when there is nothing to do but wait. */
export function nextActions(state: DeliveryState, word: DeliveryWord): string[] {
  if (state.imported !== null)
    return [`ropewalk replay ${state.id}`, `ropewalk adopt ${state.id}   (to continue it here)`]
  if (isReviewed(state))
    return [`ropewalk diff review -d ${state.id}`, `ropewalk report ${state.id}`, `ropewalk cost ${state.id}`]
  switch (word) {
    case 'done':
    case 'done-with-concerns':
      return state.line.landing.status === 'left'
        ? ['ropewalk diff', 'ropewalk report', 'ropewalk land']
        : ['ropewalk diff', 'ropewalk report', ...verified(state), 'ropewalk cost']
    case 'blocked':
      return blocked(state)
    case 'paused':
    case 'stopped':
    case 'crashed':
      return [`ropewalk resume ${state.id}`]
    case 'budget':
      return [`ropewalk cost${named(state)}`, ...raised(state)]
    case 'waiting':
    case 'planning':
    case 'working':
    case 'landing':
    case 'stopping':
      return openQuestions(state).map(answerCommand)
    default:
      return never(word)
  }
}

/** There is a verdict on work that was only to be reviewed: nothing is left to be done here. */
const isReviewed = (state: DeliveryState): boolean =>
  state.mode.status === 'ended' && storiesOf(state).some(({ control }) => control.status === 'reviewed')

/** Where something has landed, it carries a proof. */
const verified = (state: DeliveryState): string[] =>
  storiesOf(state).some(({ control }) => control.status === 'merged')
    ? [`ropewalk verify ${state.request?.target ?? 'HEAD'}`]
    : []

/** Only the ceiling of the delivery in US dollars has an option of its own; the others are in the settings. */
function raised({ id, mode, money }: DeliveryState): string[] {
  if (mode.status === 'ended' && mode.reason.endsWith(' USD for the delivery'))
    return [`ropewalk resume ${id} --max-usd <more>`]
  const tomorrow = money.spentDay === null ? [] : [`ropewalk resume ${id}   (tomorrow)`]
  return [...tomorrow, `ropewalk resume ${id} --repin   (with higher ceilings in ropewalk.yaml)`]
}

function blocked(state: DeliveryState): string[] {
  if (nobodyLeft(state) !== null) return [`ropewalk resume ${state.id}   (with --repin when ropewalk.yaml was changed)`]
  if (state.plan.plan === null) return [...askable(state), 'ropewalk plan --set plan.yaml --resume']
  if (state.line.landing.status === 'waiting') return ['ropewalk land']
  if (state.line.whole !== null) return redWhole(state)
  const failed = storiesOf(state).filter((story) => story.control.status === 'failed')
  if (failed.length === 0) return [`ropewalk resume ${state.id}`]
  return failed.flatMap(({ spec }) => [
    `ropewalk why ${spec.id}${named(state)}`,
    `ropewalk retry ${spec.id}${named(state)} --advice "…"`,
    `ropewalk skip ${spec.id}${named(state)} --because "…"`,
  ])
}

/** A review that is over is not what a command without a name is about. */
const named = ({ id, request }: DeliveryState): string => (request?.review == null ? '' : ` -d ${id}`)

/** It is open what is meant, and nobody may be asked: somebody who is there can be. */
function askable({ id, intent, policy }: DeliveryState): string[] {
  if (intent.control.status !== 'asking') return []
  if (policy?.intent.confirm === 'never') return [`ropewalk resume ${id} --repin   (with another intent.confirm)`]
  return [`ropewalk resume ${id} --attended   (to be asked what is meant)`]
}

/** What was found is in the log. Of the stories, those that are not on the line can be tried again. */
function redWhole(state: DeliveryState): string[] {
  const left = storiesOf(state).filter(({ control }) => control.status === 'failed' || control.status === 'skipped')
  return [
    'ropewalk log --type Judged --limit 5',
    'ropewalk report',
    ...left.map(({ spec }) => `ropewalk retry ${spec.id} --advice "…"`),
    `ropewalk resume ${state.id}   (judges the result again; with --repin when ropewalk.yaml was changed)`,
  ]
}
