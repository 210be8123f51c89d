import { isRefused } from '../../shared/base.ts'
import type { Room } from '../../shared/room.ts'
import { admit } from '../../shared/room.ts'
import { identified } from '../../shared/step-id.ts'
import type { DeliveryState } from '../../state.ts'
import type { Step } from '../../step.ts'
import { turnOf } from '../deciding/course.ts'
import { untried } from '../deciding/pairs.ts'
import { refutedOf } from '../deciding/weigh.ts'
import type { Seat } from '../interpretation.ts'
import { isIntentSettled } from '../meaning.ts'
import { checkerOf, readerOf, trierOf } from './readers.ts'

/** What is done to find out what is meant, before anybody plans. */
export function dueForIntent(state: DeliveryState, room: Room): Step[] {
  const { intent } = state
  if (state.plan.control.status !== 'drafting' || isIntentSettled(intent) || isRefused(state)) return []
  return wanted(state, room).filter((step) => admit(room, step))
}

/** Whether the step is still what is to be found out. */
export function isIntentWanted(state: DeliveryState, step: Step): boolean {
  const { intent, plan } = state
  const { control } = intent
  // Several may read at once: when the world refuses one of them, nobody goes on.
  if (plan.control.status !== 'drafting' || isRefused(state)) return false
  switch (step.verb) {
    case 'HarvestContext':
      return control.status === 'harvesting'
    case 'ReadRequirement':
      return (
        control.status === 'reading' && control.seats.includes(step.seat) && turnOf(intent, step.seat) === step.turn
      )
    case 'CheckAssumptions':
      return control.status === 'checking' && control.seat === step.seat
    case 'TryExamples':
      return control.status === 'comparing' && control.seats.includes(step.seat)
    default:
      return false
  }
}

function wanted(state: DeliveryState, room: Room): Step[] {
  const { control } = state.intent
  switch (control.status) {
    case 'harvesting':
      return [identified({ verb: 'HarvestContext', story: null, base: state.line.tip })]
    case 'reading':
      return control.seats.flatMap((seat) => readingBy(state, room, seat) ?? [])
    case 'checking':
      return [checkOf(state, room, control) ?? []].flat()
    case 'comparing':
      return control.seats.flatMap((seat) => trialBy(state, room, seat) ?? [])
    case 'asking':
    case 'settled':
    case 'given':
      return []
  }
}

/** Whoever was chosen ends it, though another would be chosen now. */
function running(
  state: DeliveryState,
  verb: 'ReadRequirement' | 'CheckAssumptions' | 'TryExamples',
  seat: Seat,
): Step | null {
  const steps = Object.values(state.running).map((started) => started.step)
  return steps.find((step) => step.verb === verb && step.seat === seat && isIntentWanted(state, step)) ?? null
}

function readingBy(state: DeliveryState, room: Room, seat: Seat): Step | null {
  const begun = running(state, 'ReadRequirement', seat)
  const reader = begun === null ? readerOf(state, seat, room.moment) : null
  if (reader === null) return begun
  return identified({
    verb: 'ReadRequirement',
    story: null,
    seat,
    ...reader,
    base: state.line.tip,
    turn: turnOf(state.intent, seat),
    refuted: seat === 'again' ? refutedOf(state.intent, 'first') : [],
    problems: state.intent.faults[seat] ?? [],
  })
}

function trialBy(state: DeliveryState, room: Room, seat: Seat): Step | null {
  const begun = running(state, 'TryExamples', seat)
  const reader = begun === null ? trierOf(state, seat, room.moment) : null
  if (reader === null) return begun
  const examples = untried(state.intent, seat)
  return identified({
    ...({ verb: 'TryExamples', story: null, seat, examples, ...reader } as const),
    ...{ base: state.line.tip, turn: 0 },
  })
}

type Checking = Extract<DeliveryState['intent']['control'], { status: 'checking' }>

function checkOf(state: DeliveryState, room: Room, { seat, assumptions }: Checking): Step | null {
  const begun = running(state, 'CheckAssumptions', seat)
  const checker = begun === null ? checkerOf(state, seat, room.moment) : null
  if (checker === null) return begun
  return identified({
    ...({ verb: 'CheckAssumptions', story: null, seat, assumptions, ...checker } as const),
    ...{ base: state.line.tip, turn: 0 },
  })
}
