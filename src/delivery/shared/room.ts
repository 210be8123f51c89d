import { hashOf } from '../../std/hash.ts'
import type { Instant } from '../ids.ts'
import { ceilingReached, type Reservation, uncountable } from '../money/ledger.ts'
import { type DeliveryState, policyOf, storiesOf } from '../state.ts'
import { type AgentStep, identified, runsCommands, type Step, type TryBase, usesAgent, whoTakes } from '../step.ts'
import { isSettled } from '../story/story.ts'
import { absenceOf } from './choosing.ts'

/** What may still begin: places, agent starts and money. Each is taken as it is given, so a list never exceeds it. */
export interface Room {
  state: DeliveryState
  moment: Moment
  agents: number
  checks: number
  starts: number
  reserved: Reservation[]
  /** What the checks show of the base is still to be found out by it. */
  base: TryBase | null
  /** Something is only waiting for the clock. */
  held: boolean
  wakeAt: Instant | null
}

/** Whether the step is to be listed: it is running, or nothing holds it and there is room for it. */
export function admit(room: Room, step: Step): boolean {
  if (room.state.running[step.id] !== undefined) return true
  if (isStopped(room.state) || isHeld(room, step) || waitsForBase(room, step)) return false
  if (usesAgent(step)) return admitAgent(room, step)
  if (!runsCommands(step)) return true
  if (room.checks <= 0) return false
  room.checks -= 1
  return true
}

/** Parked, outside working hours, or its agent is away: nobody else runs into the same limit. It takes no place meanwhile. */
function isHeld(room: Room, step: Step): boolean {
  const { moment, state } = room
  const parked = state.parked[step.id]
  if (parked !== undefined && parked.until > moment.at) return hold(room, parked.until)
  if (!usesAgent(step)) return false
  if (!moment.open) return hold(room, moment.changesAt)
  const absence = absenceOf(state.absences, whoTakes(step), moment.at)
  return absence === null ? false : hold(room, absence.until)
}

/** Nobody is paid for a change of which no check could speak. */
function waitsForBase(room: Room, step: Step): boolean {
  const until = step.verb === 'CodeStory' ? baseAwaited(room) : undefined
  return until === undefined ? false : hold(room, until)
}

function hold(room: Room, until: Instant | null): true {
  room.held = true
  if (until !== null && (room.wakeAt === null || until < room.wakeAt)) room.wakeAt = until
  return true
}

function admitAgent(room: Room, { agent, story }: AgentStep): boolean {
  const policy = policyOf(room.state)
  const usd = policy.agents[agent]?.reserveUsd ?? 0
  if (room.agents <= 0 || room.starts <= 0 || room.state.money.spentDay?.day === room.moment.day) return false
  if (uncountable(policy, room.state.money) !== null) return false
  if (ceilingReached({ money: room.state.money, reserved: room.reserved }, policy.ceilings, { story, usd }) !== null)
    return false
  room.agents -= 1
  room.starts -= 1
  room.reserved.push({ usd, story })
  return true
}

// What the checks show of the base, before anybody is paid for changing it.

/** The step that finds it out, as long as that is of use to anybody. */
export function baseStep(state: DeliveryState): TryBase | null {
  const { request, plan, trouble } = state
  if (request === null || request.review !== null || isBaseTried(state)) return null
  if (plan.control.status === 'approved' && storiesOf(state).every(isSettled)) return null
  const step = identified({ verb: 'TryBase', story: null, base: request.base, checks: checksKey(state) } as const)
  return trouble !== null && state.running[step.id] === undefined ? null : step
}

/** Under these commands it is known, or somebody has said to go on without. */
export const isBaseTried = (state: DeliveryState): boolean =>
  policyOf(state).checks.length === 0 || state.baseTried === checksKey(state)

/** Other commands show something else. */
export function checksKey(state: DeliveryState): string {
  const { checks, setup } = policyOf(state)
  return hashOf([
    setup?.run ?? null,
    checks.map(({ name, run, parser, report, packages, needs }) => [name, run, parser, report, packages, needs]),
  ])
}

/** A command that cannot start says so at once; nobody waits for a long suite. */
const graceMs = 10_000

/** Until when coders wait for it: for its start (null), or for what it says soon after; undefined: they do not wait. */
function baseAwaited({ state, base, moment }: Room): Instant | null | undefined {
  if (base === null) return undefined
  const started = state.running[base.id]
  if (started === undefined) return null
  return started.at + graceMs > moment.at ? started.at + graceMs : undefined
}

/** The world has said no to a step of the delivery as a whole. */
export const isRefused = (state: DeliveryState): boolean => state.trouble !== null && !isStopped(state)

/** The machine or the settings are at fault: whatever is begun now would fail for it. */
export const isStopped = ({ trouble }: DeliveryState): boolean => trouble?.environment === true

/** The clock, the calendar day and working hours, as data. */
export interface Moment {
  at: Instant
  day: string
  /** Within working hours. */
  open: boolean
  /** When `open` changes; null: never. */
  changesAt: Instant | null
}
