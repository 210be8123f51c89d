import { choose, plannersOf } from '../../shared/choosing.ts'
import type { Moment } from '../../shared/room.ts'
import { type DeliveryState, runningSteps } from '../../state.ts'
import {
  type CodeStory,
  type HarvestStory,
  identified,
  type Judge,
  type LendWorkspace,
  type RespecifyStory,
  type Review,
  type Step,
} from '../../step.ts'
import { forCoder, isOnLine, isSettled, type Respecifying, type StoryState, type TakenOver } from '../story.ts'
import { isWaitedFor } from './acceptance.ts'
import { startOf } from './attempts.ts'
import { judgeOfStory } from './judging.ts'
import { codersOf, verifiersOf } from './ladder.ts'

/** Coding, tidying and judging of a story. */
export function dueForStory(state: DeliveryState, story: StoryState, moment: Moment): Step | null {
  const { control } = story
  switch (control.status) {
    case 'waiting':
    case 'coding':
      return dueCoding(state, story, moment)
    case 'respecifying':
      return dueRespec(state, story, { control, moment })
    case 'taken-over':
      return dueInWorkspace(story, control)
    default:
      return dueProof(state, story, moment)
  }
}

/** Also with an agent that the ladder does not name, but not if the coder must now be told something else. */
export function isTurnWanted({ stories }: DeliveryState, step: CodeStory | RespecifyStory): boolean {
  const story = stories[step.story]
  const { control } = story ?? {}
  if (story === undefined || control === undefined) return false
  if (step.verb === 'RespecifyStory')
    return control.status === 'respecifying' && control.as === step.as && story.respecs === step.turn
  const { turn, attempt, findings, phase } = step
  if (control.status !== 'coding' || story.phase !== phase) return false
  if (turn !== story.turn || attempt !== story.attempt) return false
  const wanted = forCoder(story)
  return wanted.length === findings.length && wanted.every((one, i) => one.fingerprint === findings[i]!.fingerprint)
}

export function isJudgeWanted({ stories, policyHash }: DeliveryState, step: Judge | Review): boolean {
  const control = stories[step.story ?? '']?.control
  if (control?.status !== 'judging' || step.policy !== policyHash) return false
  return control.commit === step.commit && control.retry === step.retry
}

export function isWorkspaceWanted({ stories }: DeliveryState, step: LendWorkspace | HarvestStory): boolean {
  const story = stories[step.story]
  const stage = step.verb === 'LendWorkspace' ? 'lending' : 'harvesting'
  if (story?.control.status !== 'taken-over' || story.control.stage !== stage) return false
  return story.attempt === step.attempt && story.turn === step.turn
}

function dueRespec(
  state: DeliveryState,
  story: StoryState,
  { control, moment }: { control: Respecifying; moment: Moment },
): Step | null {
  const running = runningTurn(state, story)
  const planner = running === null ? choose(state, plannersOf(state), moment.at) : null
  if (planner === null) return running
  const { as, reason, problems } = control
  const departed = control.departed.length === 0 ? {} : { departed: control.departed }
  const { revision, respecs: turn, findings } = story
  const about = { story: story.spec.id, base: state.line.tip, revision, turn }
  return identified({ verb: 'RespecifyStory', ...planner, ...about, as, reason, ...departed, findings, problems })
}

/** While it is theirs nothing is due: they say when they are done. */
function dueInWorkspace(story: StoryState, { stage, base, from }: TakenOver): Step | null {
  const { revision, attempt, round, turn } = story
  if (stage === 'theirs') return null
  const verb = stage === 'lending' ? 'LendWorkspace' : 'HarvestStory'
  return identified({ verb, story: story.spec.id, revision, attempt, round, turn, base, from })
}

function dueCoding(state: DeliveryState, story: StoryState, moment: Moment): Step | null {
  const { control } = story
  const running = runningTurn(state, story)
  if (running !== null) return running
  if (control.status !== 'coding' && (control.status !== 'waiting' || !mayStart(state, story))) return null
  const coder = choose(state, codersOf(state, story, moment.day), moment.at)
  if (coder === null) return null
  const start = startOf(state, story)
  const { base, from } = control.status === 'coding' ? control : { base: start, from: start }
  return identified({
    verb: 'CodeStory',
    story: story.spec.id,
    revision: story.revision,
    attempt: story.attempt,
    round: story.round,
    turn: story.turn,
    phase: story.phase,
    ...coder,
    base,
    from,
    findings: forCoder(story),
  })
}

/** Whoever was chosen for a turn ends it, though another would be chosen now. */
function runningTurn(state: DeliveryState, story: StoryState): Step | null {
  const running = runningSteps(state)
  const isWanted = (step: Step): boolean =>
    step.verb === 'Review'
      ? isJudgeWanted(state, step)
      : (step.verb === 'CodeStory' || step.verb === 'RespecifyStory') && isTurnWanted(state, step)
  return running.find((step) => step.story === story.spec.id && isWanted(step)) ?? null
}

function dueProof(state: DeliveryState, story: StoryState, moment: Moment): Step | null {
  const { control, attempt, round, revision } = story
  const id = story.spec.id
  if (control.status === 'tidying') {
    const { base, commit } = control
    return identified({ verb: 'TidyStory', story: id, base, commit, attempt, round })
  }
  const judge = judgeOfStory(state, story)
  if (control.status !== 'judging' || judge === null) return null
  const { base, commit, tree, retry } = control
  const about = { base, commit, tree, revision, attempt, round, retry, policy: state.policyHash }
  if (judge !== 'verifier') return identified({ verb: 'Judge', story: id, judge, scope: 'story', ...about })
  const running = runningTurn(state, story)
  const verifier = running === null ? choose(state, verifiersOf(state), moment.at) : null
  return verifier === null ? running : identified({ verb: 'Review', story: id, judge, ...verifier, ...about })
}

/** A dependent never starts before what it depends on is on the line. */
export function mayStart(state: DeliveryState, story: StoryState): boolean {
  if (isWaitedFor(state, story)) return false
  return dependenciesOnLine(state, story) && story.after.every((id) => isOutOfTheWay(state.stories[id]!))
}

const isOutOfTheWay = (story: StoryState): boolean => isSettled(story) || story.control.status === 'escalated'

const dependenciesOnLine = (state: DeliveryState, story: StoryState): boolean =>
  story.spec.dependsOn.every((id) => {
    const dependency = state.stories[id]
    return dependency !== undefined && isOnLine(dependency)
  })
