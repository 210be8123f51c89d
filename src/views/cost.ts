import type { MoneyEntry } from '../delivery/money/ledger.ts'
import type { DeliveryState } from '../delivery/state.ts'
import { type KnownCost, knownOf, uncountedIn } from './step-text.ts'

export interface CostRow extends KnownCost {
  name: string
  turns: number
  inputTokens: number
  outputTokens: number
  cachedTokens: number
  /** False when at least one figure was estimated. */
  exact: boolean
  /** Turns whose price nobody knows: what was set aside stands for them. */
  unpriced: number
  durationMs: number
}

const planning = '(planning)'
const storyNameOf = (entry: MoneyEntry): string => entry.story ?? planning
const modelNameOf = (entry: MoneyEntry): string => entry.model ?? '(default)'

export type CostView = ReturnType<typeof costView>

export function costView(state: DeliveryState) {
  const entries = Object.values(state.money.entries)
  const byStory = grouped(entries, storyNameOf)
  const { usd, tokens, reserved } = state.money
  return {
    delivery: state.id,
    ...knownOf(usd, uncountedIn(state.money)),
    tokens,
    turns: entries.reduce((sum, entry) => sum + entry.turns, 0),
    exact: entries.every((entry) => entry.exact),
    unpriced: entries.reduce((sum, entry) => sum + entry.unpriced, 0),
    reservedUsd: Object.values(reserved).reduce((sum, one) => sum + one.usd, 0),
    ceilingUsd: state.policy?.ceilings.usdPerDelivery ?? null,
    byStory,
    byRole: grouped(entries, (entry) => entry.role),
    byAgent: grouped(entries, (entry) => entry.agent),
    byModel: grouped(entries, modelNameOf),
    top: topOf(entries, byStory, usd),
  }
}

function grouped(entries: MoneyEntry[], nameOf: (entry: MoneyEntry) => string): CostRow[] {
  const rows = new Map<string, CostRow>()
  for (const entry of entries) {
    const name = nameOf(entry)
    rows.set(name, added(rows.get(name) ?? { ...nothingSpent, name }, entry))
  }
  return [...rows.values()].sort(
    (a, b) => (b.usd ?? 0) - (a.usd ?? 0) || weight(b) - weight(a) || (a.name < b.name ? -1 : 1),
  )
}

const nothingSpent: Omit<CostRow, 'name'> = {
  ...{ turns: 0, inputTokens: 0, outputTokens: 0, cachedTokens: 0, durationMs: 0 },
  ...{ usd: 0, usdKnown: true, exact: true, unpriced: 0 },
}

const added = (row: CostRow, entry: MoneyEntry): CostRow => ({
  name: row.name,
  turns: row.turns + entry.turns,
  inputTokens: row.inputTokens + entry.usage.inputTokens,
  outputTokens: row.outputTokens + entry.usage.outputTokens,
  cachedTokens: row.cachedTokens + entry.usage.cachedTokens,
  ...knownOf((row.usd ?? 0) + entry.usd, entry.uncounted + (row.usdKnown ? 0 : 1)),
  exact: row.exact && entry.exact,
  unpriced: row.unpriced + entry.unpriced,
  durationMs: row.durationMs + entry.durationMs,
})

const weight = (row: CostRow): number => row.inputTokens + row.outputTokens

/** What costs most: the dearest story (or the planning), and in it the dearest agent and model. Null when nothing was spent. */
function topOf(entries: MoneyEntry[], [first]: CostRow[], usd: number) {
  if (first === undefined || first.usd === null || first.usd === 0) return null
  const { name } = first
  const within = entries.filter((entry) => storyNameOf(entry) === name)
  const dearest = within.reduce((one, other) => (other.usd > one.usd ? other : one))
  const kind = name === planning ? 'planning' : 'story'
  return { kind, name, usd: first.usd, share: first.usd / usd, agent: dearest.agent, model: modelNameOf(dearest) }
}
