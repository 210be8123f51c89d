import { noUsage, type Turn, tokensOf, type Usage } from '../../delivery/money/ledger.ts'
import { overrun, overrunOfDay } from '../../delivery/money/money.ts'
import type { DeliveryState } from '../../delivery/state.ts'
import { policyOf } from '../../delivery/state.ts'
import type { AgentStep } from '../../delivery/step.ts'
import type { Spent } from '../../ports/agent-driver.ts'
import type { Performance } from '../../ports/performer.ts'
import type { StepWorld } from '../world.ts'

/** The user's own programs may do without a model. */
const modest = ['command', 'scripted']

/** Puts a turn into the ledger. Tokens without a price, and work without tokens, are an alarm, not a zero. */
export async function recordSpent(
  world: StepWorld,
  { state, step, record }: Performance<AgentStep>,
  { role, model, spent, durationMs, worked, context }: Taken,
): Promise<void> {
  const { agent, story } = step
  const { usage, totals } = spent
  const policy = policyOf(state).agents[agent]
  const mustTell = worked && policy !== undefined && !modest.includes(policy.driver)
  const found = await priced(world, { model: spent.model ?? model, spent, mustTell })
  const { usd, price } = found.usd === null && policy?.free ? ({ usd: 0, price: 'free' } as const) : found
  const turn: Turn = {
    ...{ story, role, agent, usage, price, durationMs },
    model: model ?? spent.model,
    usd: usd ?? policy?.reserveUsd ?? 0,
    exact: spent.exact && usd !== null,
  }
  await record({ type: 'TurnSpent', step: step.id, turn, totals, ...(context === undefined ? {} : { context }) })
  const text = alarmOf(turn)
  if (text !== null && !state.concerns.includes(text)) await record({ type: 'ConcernRaised', story: null, text })
}

export interface Taken {
  role: string
  model: string | null
  spent: Spent
  durationMs: number
  /** What the last call of the model held, where the agent tells its calls. */
  context?: number | undefined
  /** It did not fail, so it must have used something. */
  worked: boolean
}

function alarmOf({ price, usage, model, agent }: Turn): string | null {
  if (price === 'untold')
    return `${agent} has worked and did not tell what it used: such a turn counts as what is set aside for it (reserveUsd)`
  if (price !== 'unknown' || tokensOf(usage) === 0) return null
  return `no price is known for ${model ?? 'the model'} of ${agent}: its tokens count as what is set aside for a turn (reserveUsd)`
}

/** The ceiling that a turn in flight has reached, or null. */
export async function overrunBy(
  world: Pick<StepWorld, 'prices' | 'clock' | 'dayOf' | 'log'>,
  { state, step }: { state: DeliveryState; step: AgentStep },
  { usage, model, ms }: { usage: Usage; model: string | null; ms: number },
): Promise<string | null> {
  const at = world.clock.now()
  const isTold = model !== null && tokensOf(usage) > 0
  const usd = isTold ? await world.prices.usd({ model, usage, at }) : null
  const { ceilings } = policyOf(state)
  const live = { step: step.id, story: step.story, tokens: tokensOf(usage), usd, ms }
  const reached = overrun(state.money, ceilings, live)
  const { usdPerDay, tokensPerDay, minutesPerDay } = ceilings
  if (reached !== null || [usdPerDay, tokensPerDay, minutesPerDay].every((one) => one === null)) return reached
  const day = world.dayOf(at)
  return overrunOfDay(day, await world.log.spentOn(day), { ceilings, live })
}

/** The killed turn was paid, and nobody can tell how much: what was set aside stands for it. */
export const unknownSpent: Spent = { usage: noUsage, usd: null, exact: false, model: null, totals: null }

async function priced(
  world: StepWorld,
  { model, spent, mustTell }: { model: string | null; spent: Spent; mustTell: boolean },
): Promise<{ usd: number | null; price: Turn['price'] }> {
  if (spent.usd !== null) return { usd: spent.usd, price: 'told' }
  const { usage } = spent
  if (tokensOf(usage) === 0) return { usd: null, price: mustTell ? 'untold' : 'unknown' }
  const usd = model === null ? null : await world.prices.usd({ model, usage, at: world.clock.now() })
  return { usd, price: usd === null ? 'unknown' : 'listed' }
}
