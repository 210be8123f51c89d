import { choose } from '../../shared/choosing.ts'
import { admit, isRefused, type Room } from '../../shared/room.ts'
import { type DeliveryState, runningSteps } from '../../state.ts'
import { type CheckAssumptions, identified, type ReadRequirement, type Step, type TryExamples } from '../../step.ts'
import { untried } from '../deciding/council.ts'
import { turnOf } from '../deciding/course.ts'
import { refutedOf } from '../deciding/weigh.ts'
import { isIntentSettled } from '../state.ts'
import { checkersOf, readersOf, triersOf } from './readers.ts'

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
  const { intent } = state
  const { control } = intent
  switch (control.status) {
    case 'harvesting':
      return [identified({ verb: 'HarvestContext', story: null, base: state.line.tip })]
    case 'reading':
      return control.seats.flatMap((seat) => {
        const refuted = seat === 'again' ? refutedOf(intent, 'first') : []
        const about = { turn: turnOf(intent, seat), refuted, problems: intent.faults[seat] ?? [] }
        return turnBy(state, room, { verb: 'ReadRequirement', seat, ...about })
      })
    case 'checking': {
      const { seat, assumptions } = control
      return turnBy(state, room, { verb: 'CheckAssumptions', seat, assumptions, turn: 0 })
    }
    case 'comparing':
      return control.seats.flatMap((seat) =>
        turnBy(state, room, { verb: 'TryExamples', seat, examples: untried(intent, seat), turn: 0 }),
      )
    case 'asking':
    case 'settled':
    case 'given':
      return []
  }
}

type Given = 'id' | 'story' | 'base' | 'agent' | 'model' | 'because'
type Turn = Omit<ReadRequirement, Given> | Omit<CheckAssumptions, Given> | Omit<TryExamples, Given>

const takers = { ReadRequirement: readersOf, CheckAssumptions: checkersOf, TryExamples: triersOf }

/** Whoever was chosen ends it, though another would be chosen now. */
function turnBy(state: DeliveryState, { moment }: Room, turn: Turn): Step[] {
  const { verb, seat } = turn
  const running = runningSteps(state)
  const begun = running.find((step) => step.verb === verb && step.seat === seat && isIntentWanted(state, step))
  if (begun !== undefined) return [begun]
  const who = choose(state, takers[verb](state, seat), moment.at)
  return who === null ? [] : [identified({ story: null, base: state.line.tip, ...who, ...turn })]
}
