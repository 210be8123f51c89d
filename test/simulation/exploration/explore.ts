import { decide } from '../../../src/delivery/decide.ts'
import { dueSteps } from '../../../src/delivery/due.ts'
import type { DeliveryEvent } from '../../../src/delivery/events.ts'
import { fuel } from '../../../src/delivery/fuel.ts'
import type { Intent } from '../../../src/delivery/intents.ts'
import type { Story } from '../../../src/delivery/plan/plan.ts'
import type { Policy } from '../../../src/delivery/policy.ts'
import type { DeliveryState } from '../../../src/delivery/state.ts'
import { initialState } from '../../../src/delivery/state.ts'
import type { Step } from '../../../src/delivery/step.ts'
import { isIrrevocable } from '../../../src/delivery/step.ts'
import { happily } from '../endings.ts'
import { areBeside, burns, counts, holdsNow, mayStart } from '../invariants.ts'
import { apply, moment, requested } from '../sample.ts'
import type { Witnessed } from '../witness.ts'
import { nothingWitnessed, witness } from '../witness.ts'
import { controlKey } from './control-key.ts'
import { copyOf } from './copy.ts'
import { intentsFor } from './intents.ts'
import type { Range } from './outcomes.ts'
import { outcomesOf } from './outcomes.ts'

export interface Setting {
  policy: Policy
  stories: Story[] | null
  /** Instead of a request for these stories. */
  begun?: DeliveryEvent[]
  /** All stories are coded already, and wait for what comes after. */
  coded?: boolean
  range: Range
  /** Starts, aborts and lost starts are taken apart from outcomes, so that everything may overtake everything. */
  interleaved: boolean
  /** Besides answers: pause, resume, stop, retry, skip, amend, waive. */
  meddling: boolean
  turnsMatter: boolean
  cap: number
}

export interface Explored {
  states: number
  transitions: number
  ends: Record<string, number>
  waiting: number
  whole: boolean
}

interface Node {
  state: DeliveryState
  at: number
  seen: Witnessed
  way: Way
}

/** How a state was reached, kept without the states on the way. */
interface Way {
  label: string
  parent: Way | null
}

/** Breadth first through all control states that can be reached; throws at the first broken invariant, with the way. */
export function explore(setting: Setting): Explored {
  const root = begin(setting)
  const known = new Set([keyOf(root, setting)])
  const open: (Node | null)[] = [root]
  const result: Explored = { states: 0, transitions: 0, ends: {}, waiting: 0, whole: true }
  for (let i = 0; i < open.length; i++) {
    const node = open[i]!
    open[i] = null
    result.states += 1
    for (const reached of explained(node, () => visit(node, setting, result))) {
      result.transitions += 1
      const key = keyOf(reached, setting)
      if (known.has(key)) continue
      if (open.length >= setting.cap) result.whole = false
      else {
        known.add(key)
        open.push(reached)
      }
    }
  }
  return result
}

function begin({ policy, stories, coded, begun }: Setting): Node {
  const way: Way = { label: 'requested', parent: null }
  const nothing: Node = { state: initialState('d'), at: 0, seen: nothingWitnessed(), way }
  const events = begun ?? requested(policy, stories)
  const root = { ...events.reduce((node, event) => after(node, event), nothing), way }
  if (coded !== true) return root
  const isCoding = ({ verb }: Step) => verb === 'CodeStory'
  const next = ({ state, at }: Node) => dueSteps(state, moment(at)).steps.find(isCoding)
  let node = root
  for (let step = next(node); step !== undefined; step = next(node)) node = after(start(node, step), happily(step))
  return node
}

/** An end is an end, unless somebody may begin again from it. */
const keyOf = ({ state, at }: Node, { meddling, turnsMatter }: Setting): string =>
  state.mode.status === 'ended' && !meddling ? `ended ${state.mode.result}` : controlKey(state, at, turnsMatter)

function visit(node: Node, setting: Setting, result: Explored): Node[] {
  const { state, at } = node
  const due = dueSteps(state, moment(at))
  holdsNow(state, due)
  if (state.mode.status === 'ended') {
    result.ends[state.mode.result] = (result.ends[state.mode.result] ?? 0) + 1
    return setting.meddling ? told(node) : []
  }
  const { steps, wakeAt } = due
  if (steps.length === 0) result.waiting += 1
  const moves = setting.interleaved ? apart(node, steps, setting) : together(node, steps, setting)
  const later = wakeAt === null ? [] : [{ ...node, way: { label: 'time passes', parent: node.way }, at: wakeAt }]
  return [...moves, ...later, ...told(node, setting.meddling)]
}

function together(node: Node, steps: Step[], setting: Setting): Node[] {
  return steps.flatMap((step) => ended(start(node, step), step, setting))
}

/** As the engine does: one step of a story at a time, but for reviewers; and the end only when everybody has left. */
function apart(node: Node, steps: Step[], setting: Setting): Node[] {
  const running = Object.values(node.state.running)
  const busy = (step: Step) => running.some((one) => one.step.story === step.story && !areBeside(step, one.step))
  const starts = steps.filter((step) => {
    if (node.state.running[step.id] !== undefined) return false
    if (step.verb === 'CompleteDelivery')
      return running.every((one) => one.lost >= setting.policy.limits.lostStartsPerStep)
    return step.story === null || !busy(step)
  })
  const { lostStartsPerStep } = setting.policy.limits
  return [
    ...starts.map((step) => start(node, step)),
    ...running.flatMap(({ step }) => ended(node, step, setting)),
    ...running.flatMap(({ step }) => (isIrrevocable(step) ? [] : [abort(node, step)])),
    ...running.flatMap(({ step, lost }) =>
      lost < lostStartsPerStep && steps.some((one) => one.id === step.id) ? [start(node, step)] : [],
    ),
  ]
}

function start(node: Node, step: Step): Node {
  mayStart(node.state, step, node.seen)
  const tried = node.state.running[step.id]?.try ?? 0
  const before = fuel(node.state)
  const reached = after(node, { type: 'StepStarted', step, try: tried + 1, worker: 'w', mark: 'm', reserveUsd: 0 })
  if (fuel(reached.state) > before) throw new Error(`a start of ${step.verb} refuels`)
  return reached
}

const abort = (node: Node, step: Step): Node =>
  after(node, { type: 'StepAborted', step: step.id, story: step.story, reason: 'no longer due' })

function ended(node: Node, step: Step, { range }: Setting): Node[] {
  const { state, at } = node
  const fits = counts(state, step)
  const left = fuel(state)
  const fresh = namesAfter(state.version)
  return outcomesOf(state, step, { fresh, at, range }).map((event) => {
    const reached = after(node, event)
    if (fits) burns(left, reached.state, event)
    else unchanged(node, reached)
    return reached
  })
}

/** What was overtaken leaves nothing behind but its own end. */
function unchanged(before: Node, reached: Node): void {
  const without = (state: DeliveryState) =>
    JSON.stringify({ ...state, version: 0, running: 0, money: { ...state.money, reserved: 0 } })
  if (without(before.state) !== without(reached.state)) throw new Error(`an overtaken step left something behind`)
}

function told(node: Node, meddling = true): Node[] {
  return intentsFor(node.state, meddling).flatMap((intent) => {
    const decision = decide(intent, node.state)
    if ('refused' in decision || decision.events.length === 0) return []
    return [decision.events.reduce((reached, event) => after(reached, event, labelOf(intent)), node)]
  })
}

const labelOf = (intent: Intent): string =>
  intent.type === 'AnswerQuestion' ? `${intent.type} ${intent.question} ${intent.option}` : intent.type

function after(node: Node, event: DeliveryEvent, cause = ''): Node {
  const seen = witness(node.seen, node.state, event)
  const state = apply(copyOf(node.state), event, node.at)
  return { state, at: node.at, seen, way: { label: `${cause} ${describe(event)}`, parent: node.way } }
}

function describe(event: DeliveryEvent): string {
  const about = 'step' in event && typeof event.step === 'object' ? event.step.verb : ''
  const story = 'story' in event && event.story !== null ? event.story : ''
  const more = event.type === 'Judged' ? `${event.judge} ${event.verdict.status}` : 'kind' in event ? event.kind : ''
  return [event.type, about, story, more, 'reason' in event ? event.reason : ''].filter((word) => word !== '').join(' ')
}

function namesAfter(version: number): (kind: 'c' | 't') => string {
  let count = 0
  return (kind) => `${kind}${version * 10 + ++count}`
}

function explained<T>(node: Node, act: () => T): T {
  try {
    return act()
  } catch (error) {
    const way: string[] = []
    for (let one: Way | null = node.way; one !== null; one = one.parent) way.unshift(one.label)
    throw new Error(`${(error as Error).message}\nafter: ${way.join('\n       ')}`, { cause: error })
  }
}
