import type { Instant } from '../ids.ts'
import type { Reservation } from '../money/money.ts'
import { ceilingReached } from '../money/money.ts'
import { uncountable } from '../money/uncounted.ts'
import type { DeliveryState } from '../state.ts'
import { policyOf } from '../state.ts'
import type { AgentStep, Step } from '../step.ts'
import { runsCommands, usesAgent, whoTakes } from '../step.ts'
import { absenceOf } from './absence.ts'
import { baseAwaited, isStopped } from './base.ts'
import type { Moment } from './moment.ts'

/** What may still begin: places, agent starts and money. Each is taken as it is given, so a list never exceeds it. */
export interface Room {
  state: DeliveryState
  moment: Moment
  agents: number
  checks: number
  starts: number
  reserved: Reservation[]
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
  const until = step.verb === 'CodeStory' ? baseAwaited(room.state, room.moment.at) : undefined
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
