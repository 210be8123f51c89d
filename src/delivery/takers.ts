import type { Who } from './ids.ts'
import { checkersOf, readersOf, triersOf } from './intent/course/readers.ts'
import { isIntentSettled } from './intent/state.ts'
import { ceilingReached, uncountable } from './money/ledger.ts'
import { openSeats, reproducersOf, reviewersOf, triagersOf } from './review/course/seats.ts'
import { allBarred, auditorsOf, plannersOf } from './shared/choosing.ts'
import { type DeliveryState, policyOf, runningSteps, storiesOf } from './state.ts'
import { judgeOfStory } from './story/course/judging.ts'
import { codersOf, verifiersOf } from './story/course/ladder.ts'
import type { StoryState } from './story/story.ts'

/** All that may take the story's next turn, whoever it is that it waits for; none where it waits for nobody. */
export function takersOf(state: DeliveryState, story: StoryState): Who[] {
  const { status } = story.control
  if (status === 'waiting' || status === 'coding') return codersOf(state, story, '')
  if (status === 'respecifying') return plannersOf(state)
  if (status === 'triaging') return triagersOf(state)
  if (status === 'reproducing') return reproducersOf(state)
  if (status === 'reviewing')
    return openSeats(policyOf(state), story).flatMap(({ vantage }) => reviewersOf(state, story, vantage))
  return judgeOfStory(state, story) === 'verifier' ? verifiersOf(state) : []
}

/** All that may take the next turn for the plan, or, before it, for what is meant; none where it waits for nobody. */
export function takersOfPlan(state: DeliveryState): Who[] {
  const { intent, plan } = state
  if (plan.control.status === 'auditing') return auditorsOf(state)
  if (plan.control.status !== 'drafting') return []
  if (isIntentSettled(intent)) return plannersOf(state)
  const { control } = intent
  if (control.status === 'checking') return checkersOf(state, control.seat)
  if (control.status === 'comparing') return control.seats.flatMap((seat) => triersOf(state, seat))
  const seats = control.status === 'reading' ? control.seats : []
  return seats.flatMap((seat) => readersOf(state, seat))
}

/** Work that is there and that nobody will do until a human has seen to an agent: what is wrong with the first. */
export function nobodyLeft(state: DeliveryState): { message: string; remedy: string } | null {
  if (!Object.values(state.absences).some(({ until }) => until === null)) return null
  const { status } = state.plan.control
  if (status === 'drafting' && !isIntentSettled(state.intent)) return noReaderLeft(state)
  if (status !== 'approved') return allBarred(state, takersOfPlan(state))
  const busy = new Set(runningSteps(state).map(({ story }) => story))
  for (const id of state.order) {
    const story = state.stories[id]!
    const barred = busy.has(id) ? null : allBarred(state, takersOf(state, story))
    if (barred !== null) return barred
  }
  return null
}

/** Where several are to read it, one that cannot is enough: the human may see to it while others go on. */
function noReaderLeft(state: DeliveryState): { message: string; remedy: string } | null {
  const { control } = state.intent
  const busy = runningSteps(state).flatMap((step) => (step.verb === 'ReadRequirement' ? [step.seat] : []))
  if (control.status === 'checking') return allBarred(state, checkersOf(state, control.seat))
  if (control.status !== 'reading') return null
  const open = control.seats.filter((seat) => !busy.includes(seat))
  return open.reduce<ReturnType<typeof allBarred>>(
    (found, seat) => found ?? allBarred(state, readersOf(state, seat)),
    null,
  )
}

/** The ceiling that keeps the delivery from going on, if one does: asked when nothing else is due. */
export function ceilingOf(state: DeliveryState): string | null {
  for (const story of storiesOf(state)) {
    const reached = ceilingFor(state, story.spec.id, takersOf(state, story))
    if (reached !== null) return reached
  }
  const isPlanned = state.plan.control.status !== 'drafting' && state.plan.control.status !== 'auditing'
  return isPlanned ? null : ceilingFor(state, null, takersOfPlan(state))
}

/** Why the next turn of this story (null: for the plan) may not start now, or null. */
function ceilingFor(state: DeliveryState, story: string | null, chain: { agent: string }[]): string | null {
  if (chain.length === 0) return null
  const { agents, ceilings } = policyOf(state)
  const { money } = state
  if (money.spentDay !== null) return money.spentDay.text
  const unknown = uncountable(policyOf(state), money)
  if (unknown !== null) return unknown
  const reached = chain.map(({ agent }) => {
    const ask = { story, usd: agents[agent]?.reserveUsd ?? 0 }
    return ceilingReached({ money, reserved: Object.values(money.reserved) }, ceilings, ask)
  })
  return reached.find((one) => one !== null) ?? null
}
