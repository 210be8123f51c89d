import { noUsage, type Turn, tokensOf, type Usage } from '../../delivery/money/ledger.ts'
import { overrun, overrunOfDay } from '../../delivery/money/money.ts'
import type { DeliveryState } from '../../delivery/state.ts'
import { policyOf } from '../../delivery/state.ts'
import type { CodeStory, DraftPlan } from '../../delivery/step.ts'
import type { Spent } from '../../ports/agent-driver.ts'
import type { Performance } from '../../ports/performer.ts'
import type { StepWorld } from '../world.ts'

/** Puts a turn into the ledger. Tokens without a price are an alarm, not a zero. */
export async function recordSpent(
  world: StepWorld,
  { state, step, record }: Performance<CodeStory | DraftPlan>,
  { role, model, spent, durationMs }: { role: string; model: string | null; spent: Spent; durationMs: number },
): Promise<void> {
  const { agent, story } = step
  const { usage, totals } = spent
  const { usd, price } = await priced(world, { model: spent.model ?? model, spent })
  const turn: Turn = {
    ...{ story, role, agent, usage, price, durationMs },
    model: model ?? spent.model,
    usd: usd ?? policyOf(state).agents[agent]?.reserveUsd ?? 0,
    exact: spent.exact && price !== 'unknown',
  }
  await record({ type: 'TurnSpent', step: step.id, turn, totals })
  if (price !== 'unknown' || tokensOf(usage) === 0) return
  const text = `no price is known for ${turn.model ?? 'the model'} of ${agent}: its tokens count as what is set aside for a turn (reserveUsd)`
  if (!state.concerns.includes(text)) await record({ type: 'ConcernRaised', story: null, text })
}

/** The ceiling that a turn in flight has reached, or null. */
export async function overrunBy(
  world: Pick<StepWorld, 'prices' | 'clock' | 'dayOf' | 'log'>,
  { state, step }: { state: DeliveryState; step: CodeStory | DraftPlan },
  { usage, model }: { usage: Usage; model: string | null },
): Promise<string | null> {
  const at = world.clock.now()
  const usd = model === null ? null : await world.prices.usd({ model, usage, at })
  const { ceilings } = policyOf(state)
  const live = { step: step.id, story: step.story, tokens: tokensOf(usage), usd }
  const reached = overrun(state.money, ceilings, live)
  if (reached !== null || (ceilings.usdPerDay === null && ceilings.tokensPerDay === null)) return reached
  const day = world.dayOf(at)
  return overrunOfDay(day, await world.log.spentOn(day), { ceilings, live })
}

/** The killed turn was paid, and nobody can tell how much: what was set aside stands for it. */
export const unknownSpent: Spent = { usage: noUsage, usd: null, exact: false, model: null, totals: null }

async function priced(
  world: StepWorld,
  { model, spent }: { model: string | null; spent: Spent },
): Promise<{ usd: number | null; price: Turn['price'] }> {
  if (spent.usd !== null) return { usd: spent.usd, price: 'told' }
  const { usage } = spent
  const usd =
    model === null || tokensOf(usage) === 0 ? null : await world.prices.usd({ model, usage, at: world.clock.now() })
  return { usd, price: usd === null ? 'unknown' : 'listed' }
}
