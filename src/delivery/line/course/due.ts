import { admit, isStopped, type Room } from '../../shared/room.ts'
import type { DeliveryState } from '../../state.ts'
import { policyOf, storiesOf } from '../../state.ts'
import { identified, type Judge, type Step } from '../../step.ts'
import { isWholeOnStory, judgeOfLine, judgeOfTree } from '../../story/course/judging.ts'
import { isSettled } from '../../story/story.ts'
import { spanOf, toJudge } from '../train.ts'
import { type Car, carsOf, isTipInDoubt, isToBeProven, nextCar, prefixesOf, topOf } from './cars.ts'
import { dueMending } from './merging.ts'

/** Composing, proving what was composed, moving the line, landing. */
export function dueOnLine(state: DeliveryState, room: Room): Step[] {
  const begun = state.trouble === null || isRunning(state, state.line.begun) ? state.line.begun : null
  const landing = begun !== null ? [begun] : isTipInDoubt(state) ? dueForTip(state) : dueLanding(state)
  return [...dueForTrain(state, room), ...landing.filter((step) => admit(room, step))]
}

const isRunning = (state: DeliveryState, step: Step | null): boolean =>
  step !== null && state.running[step.id] !== undefined

/** A story that is ready is coupled before the top is judged: it takes a moment, and saves a run. */
function dueForTrain(state: DeliveryState, room: Room): Step[] {
  const cars = carsOf(state)
  const prefixes = prefixesOf(state)
  const { proven, red } = spanOf(prefixes)
  const steps = [...(proven >= 0 ? [advance(cars[0]!)] : []), ...dueCoupling(state, room)]
  const coupling = steps.some((step) => step.verb === 'ComposeLine')
  const judging = beingJudged(state, cars)
  const top = coupling || mayGrow(state) ? [] : [cars.length - 1]
  const more = red < cars.length ? toJudge(prefixes, { judging, lanes: room.checks }) : top
  const judged = [...new Set([...judging, ...more.filter((place) => place > proven)])]
  return [...steps, ...judged.map((place) => judge(state, cars[place]!))].filter((step) => admit(room, step))
}

/**
 * Nobody needs the train on the line yet, and it is not full: whom the judges are about to let through may ride with
 * it, and all of them are proven by one run.
 */
function mayGrow(state: DeliveryState): boolean {
  const { line } = state
  const { land, limits } = policyOf(state)
  if (land !== 'end' || line.whole !== null || line.train.length >= limits.train) return false
  const stories = storiesOf(state)
  const isAwaited = stories.some(
    ({ control, spec }) => control.status === 'waiting' && spec.dependsOn.some((id) => line.train.includes(id)),
  )
  return !isAwaited && stories.some(({ control }) => control.status === 'judging')
}

/**
 * Besides what is due for the stories: the top, unless one of them is being judged and may join; then lanes that nobody
 * else needs prove parts of the train ahead of time, which tell where it is red if it is.
 */
export function dueAhead(state: DeliveryState, room: Room, others: Step[]): Step[] {
  const cars = carsOf(state)
  const prefixes = prefixesOf(state)
  if (spanOf(prefixes).red < cars.length || dueCoupling(state, room).length > 0) return []
  if (mayGrow(state) && others.some((step) => step.verb === 'Judge' && step.scope === 'story')) return []
  const judging = beingJudged(state, cars)
  const known = prefixes.at(-1) === 'unknown' ? [...new Set([...judging, cars.length - 1])] : judging
  const more = isHeardAlone(state, cars) ? [] : toJudge(prefixes, { judging: known, lanes: room.checks })
  const wanted = [...(mayGrow(state) ? known : []), ...more].filter((place) => !judging.includes(place))
  return wanted.map((place) => judge(state, cars[place]!)).filter((step) => admit(room, step))
}

/** Each has passed all of it alone: that they are red together is not likely enough to look for where. */
function isHeardAlone(state: DeliveryState, cars: Car[]): boolean {
  const top = cars.at(-1)
  const judge = top === undefined ? null : judgeOfLine(state, top.control.composed.tree)
  return judge !== null && isWholeOnStory(policyOf(state), judge)
}

function dueCoupling(state: DeliveryState, room: Room): Step[] {
  const story = nextCar(state)
  if (story?.control.status !== 'composing') return []
  const { base, commit } = story.control
  const step = identified({ verb: 'ComposeLine', story: story.spec.id, onto: topOf(state), base, commit } as const)
  return admit(room, step) ? [step] : []
}

const advance = ({ story, control: { composed } }: Car): Step =>
  identified({
    verb: 'AdvanceLine',
    story: story.spec.id,
    from: composed.onto,
    to: composed.commit,
    tree: composed.tree,
  })

/** Places in the train on which a judge is about to speak. */
const beingJudged = (state: DeliveryState, cars: Car[]): number[] =>
  cars.flatMap((car, place) => (runningJudge(state, car) === null ? [] : [place]))

/** One that was begun goes on, though the line has moved since. */
const runningJudge = (state: DeliveryState, { story }: Car): Step | null =>
  Object.values(state.running).find(
    ({ step }) => step.verb === 'Judge' && step.story === story.spec.id && isJudged(state, step),
  )?.step ?? null

/** Whether its word is still wanted. */
const isJudged = (state: DeliveryState, step: Judge): boolean =>
  step.policy === state.policyHash && !isStopped(state) && step.scope === 'line' && isToBeProven(state, step)

function judge(state: DeliveryState, car: Car): Step {
  const running = runningJudge(state, car)
  if (running !== null) return running
  const { story, control } = car
  const { spec, revision, attempt, round } = story
  const { commit, tree } = control.composed
  return identified({
    verb: 'Judge',
    story: spec.id,
    judge: judgeOfLine(state, tree)!,
    scope: 'line',
    base: lastProven(state),
    commit,
    tree,
    revision,
    attempt,
    round,
    retry: control.retry,
    policy: state.policyHash,
  })
}

/** What fails there already is not charged: so it must be the target, or proven. */
const lastProven = (state: DeliveryState): string =>
  state.line.commits.findLast(({ tree }) => judgeOfLine(state, tree) === null)?.commit ?? state.line.target

/** Before the first car is blamed. */
function dueForTip(state: DeliveryState): Step[] {
  if (state.trouble !== null) return []
  const last = state.line.commits.at(-1)!
  return [wholeJudge(state, judgeOfLine(state, last.tree)!, last)]
}

/** The target follows the line at the end, or with each story; only ever to a proven tree. */
function dueLanding(state: DeliveryState): Step[] {
  const { line, trouble } = state
  const { land } = policyOf(state)
  const settled = state.order.length > 0 && storiesOf(state).every(isSettled)
  const last = line.commits.at(-1)
  if (line.begun !== null || last === undefined || line.landing.status !== 'idle' || trouble !== null) return []
  if (line.whole !== null) return [dueMending(state) ?? []].flat()
  if (!settled && land === 'end') return []
  const judge = judgeOfTree(state, last.tree)
  if (settled && judge !== null) return [wholeJudge(state, judge, last)]
  const proven = line.commits.findLast(({ tree }) => judgeOfTree(state, tree) === null)
  return proven === undefined ? [] : [landing(state, proven)]
}

function landing(state: DeliveryState, { commit, tree }: { commit: string; tree: string }): Step {
  const { target: from, landings } = state.line
  const { target } = policyOf(state)
  return identified({ verb: 'Land', story: null, target, from, to: commit, tree, landing: landings })
}

function wholeJudge(state: DeliveryState, judge: string, last: { commit: string; tree: string }): Step {
  return identified({
    verb: 'Judge',
    story: null,
    judge,
    scope: 'whole',
    base: state.line.target,
    commit: last.commit,
    tree: last.tree,
    revision: 0,
    attempt: 0,
    round: 0,
    retry: state.line.silences,
    policy: state.policyHash,
  })
}
