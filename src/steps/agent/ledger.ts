import { noUsage, type Turn, tokensOf, type Usage } from '../../delivery/money/ledger.ts'
import { overrun, overrunOfDay } from '../../delivery/money/money.ts'
import { countsOnlyDollars, howToCount, isUnsaid, unknownPrice } from '../../delivery/money/uncounted.ts'
import { type AgentPolicy, type Ceilings, isOwnProgram, tellsPrice } from '../../delivery/policy.ts'
import type { Spent } from '../../ports/agent-driver.ts'
import { TerminalError } from '../../ports/errors.ts'
import type { StepWorld } from '../world.ts'
import type { Asking, Begun } from './transcript.ts'

/** Puts a turn into the ledger. Tokens without a price, and work without tokens, are an alarm, not a zero. */
export async function recordSpent(
  { world, input, step, standing, record }: Begun,
  { role, model, spent, durationMs, worked, lost, context }: TurnTaken,
): Promise<void> {
  const { agent, story } = step
  const { usage, totals } = spent
  const policy = input.policy.agents[agent]
  const isOwn = policy === undefined || isOwnProgram(policy)
  const nothingTold = worked ? 'untold' : isOwn || lost ? 'lost' : 'unknown'
  const found = await priced(world, { model: spent.model ?? model, spent, nothingTold })
  const { usd, price } = found.usd === null && policy?.free ? ({ usd: 0, price: 'free' } as const) : found
  const turn: Turn = {
    ...{ story, role, agent, usage, price, durationMs },
    model: model ?? spent.model,
    usd: usd ?? policy?.reserveUsd ?? 0,
    exact: spent.exact && usd !== null,
  }
  await record({ type: 'TurnSpent', step: step.id, turn, totals, ...(context === undefined ? {} : { context }) })
  // A program of the user's own says no more than it was written to say.
  const text = isOwn && price === 'untold' ? null : alarmOf(turn)
  if (text !== null && !standing().concerns.includes(text)) await record({ type: 'ConcernRaised', story: null, text })
}

export interface TurnTaken {
  role: string
  model: string | null
  spent: Spent
  durationMs: number
  /** What the last call of the model held, where the agent tells its calls. */
  context?: number | undefined
  /** It did not fail, so it must have used something. */
  worked: boolean
  /** It was killed with us. */
  lost?: boolean
}

function alarmOf({ price, usage, model, agent, usd }: Turn): string | null {
  if (price === 'untold') return `${agent} has worked and did not tell what it used: such a turn ${countsAs(usd)}`
  if (price !== 'unknown' || tokensOf(usage) === 0) return null
  return `no price is known for ${model ?? 'the model'} of ${agent}: each of its turns ${countsAs(usd)}`
}

const countsAs = (usd: number): string =>
  usd === 0
    ? 'counts as nothing in dollars, and what it cost is unknown (no reserveUsd is set)'
    : 'counts as what is set aside for it (reserveUsd)'

/** Not even begun: a turn that no ceiling could see. */
export async function refuseUncounted(
  world: Pick<StepWorld, 'prices' | 'clock'>,
  { agent, policy, ceilings }: { agent: string; policy: AgentPolicy; ceilings: Ceilings },
  model: string | null,
): Promise<void> {
  if (model === null || !countsOnlyDollars(ceilings) || !isUnsaid(policy) || tellsPrice(policy)) return
  if ((await world.prices.usd({ model, usage: oneEach, at: world.clock.now() })) !== null) return
  throw new TerminalError(unknownPrice({ agent, model }), `${howToCount(agent)}; then resume with --repin.`)
}

const oneEach: Usage = { inputTokens: 1, outputTokens: 1, cachedTokens: 0 }

/** The ceiling that a turn in flight has reached, or null. */
export async function overrunBy(
  { world, input, step, standing }: Pick<Asking, 'world' | 'input' | 'step' | 'standing'>,
  { usage, model, ms }: { usage: Usage; model: string | null; ms: number },
): Promise<string | null> {
  const at = world.clock.now()
  const isTold = model !== null && tokensOf(usage) > 0
  const usd = isTold ? await world.prices.usd({ model, usage, at }) : null
  const { ceilings, agents } = input.policy
  const live = { step: step.id, story: step.story, tokens: tokensOf(usage), usd, ms }
  const policy = agents[step.agent]
  // Another model than it was asked for.
  if (isTold && usd === null && countsOnlyDollars(ceilings) && isUnsaid(policy) && !tellsPrice(policy!))
    return unknownPrice({ agent: step.agent, model })
  const reached = overrun(standing().money, ceilings, live)
  const { usdPerDay, tokensPerDay, minutesPerDay } = ceilings
  if (reached !== null || [usdPerDay, tokensPerDay, minutesPerDay].every((one) => one === null)) return reached
  const day = world.dayOf(at)
  return overrunOfDay(day, await world.log.spentOn(day), { ceilings, live })
}

/** The killed turn was paid, and nobody can tell how much: what was set aside stands for it. */
export const unknownSpent: Spent = { usage: noUsage, usd: null, exact: false, model: null, totals: null }

async function priced(
  world: StepWorld,
  { model, spent, nothingTold }: { model: string | null; spent: Spent; nothingTold: Turn['price'] },
): Promise<{ usd: number | null; price: Turn['price'] }> {
  const { usage, exact } = spent
  if (spent.usd !== null && exact) return { usd: spent.usd, price: 'told' }
  if (tokensOf(usage) === 0 && spent.usd === null) return { usd: null, price: nothingTold }
  const usd = model === null ? null : await world.prices.usd({ model, usage, at: world.clock.now() })
  // What was told before the turn was cut off is less than what it has cost.
  if (spent.usd !== null) return { usd: Math.max(spent.usd, usd ?? 0), price: 'told' }
  return { usd, price: usd === null ? 'unknown' : 'listed' }
}
