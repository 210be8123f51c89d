import type { StepId, StoryId } from '../ids.ts'
import type { Policy } from '../policy.ts'
import type { Turn, Usage } from './ledger.ts'

export interface MoneyState {
  usd: number
  tokens: number
  usdByStory: Record<StoryId, number>
  /** Set aside for turns in flight. */
  reserved: Record<StepId, Reservation>
  /** Totals by story, role, agent and model. */
  entries: Record<string, Entry>
}

export interface Reservation {
  usd: number
  story: StoryId | null
}

export interface Entry {
  story: StoryId | null
  role: string
  agent: string
  model: string | null
  turns: number
  usage: Usage
  usd: number
  exact: boolean
  durationMs: number
}

export const noMoney = (): MoneyState => ({ usd: 0, tokens: 0, usdByStory: {}, reserved: {}, entries: {} })

export function spend(money: MoneyState, turn: Turn): void {
  money.usd += turn.usd
  money.tokens += turn.usage.inputTokens + turn.usage.outputTokens
  if (turn.story !== null) money.usdByStory[turn.story] = (money.usdByStory[turn.story] ?? 0) + turn.usd
  const key = [turn.story ?? '', turn.role, turn.agent, turn.model ?? ''].join('|')
  const entry = money.entries[key]
  money.entries[key] = entry === undefined ? firstEntry(turn) : added(entry, turn)
}

/** Why a turn with this reserve may not start, or null. */
export function ceilingReached(
  { money, reserved }: { money: MoneyState; reserved: Reservation[] },
  policy: Policy,
  ask: Reservation,
): string | null {
  const { usdPerDelivery, usdPerStory, tokensPerDelivery } = policy.ceilings
  const total = money.usd + sum(reserved.map((one) => one.usd)) + ask.usd
  if (usdPerDelivery !== null && over(money.usd, total, usdPerDelivery)) return `${usdPerDelivery} USD for the delivery`
  if (tokensPerDelivery !== null && money.tokens >= tokensPerDelivery)
    return `${tokensPerDelivery} tokens for the delivery`
  if (usdPerStory === null || ask.story === null) return null
  const spent = money.usdByStory[ask.story] ?? 0
  const forStory = sum(reserved.filter((one) => one.story === ask.story).map((one) => one.usd))
  return over(spent, spent + forStory + ask.usd, usdPerStory) ? `${usdPerStory} USD for the story` : null
}

const over = (spent: number, committed: number, ceiling: number): boolean => spent >= ceiling || committed > ceiling

const sum = (numbers: number[]): number => numbers.reduce((total, one) => total + one, 0)

const firstEntry = ({ story, role, agent, model, usage, usd, exact, durationMs }: Turn): Entry => ({
  story,
  role,
  agent,
  model,
  turns: 1,
  usage: { ...usage },
  usd,
  exact,
  durationMs,
})

function added(entry: Entry, turn: Turn): Entry {
  const usage = {
    inputTokens: entry.usage.inputTokens + turn.usage.inputTokens,
    outputTokens: entry.usage.outputTokens + turn.usage.outputTokens,
    cachedTokens: entry.usage.cachedTokens + turn.usage.cachedTokens,
  }
  return {
    ...entry,
    turns: entry.turns + 1,
    usage,
    usd: entry.usd + turn.usd,
    exact: entry.exact && turn.exact,
    durationMs: entry.durationMs + turn.durationMs,
  }
}
