import type { Complexity, Plan } from '../../delivery/plan/plan.ts'
import type { ExpectedTurn } from './turns.ts'

/** What a requirement is likely to take. What `estimate` shows, and its JSON. */
export interface EstimateView {
  /** Where the stories are from: the words of the requirement, a plan file, or a planner. */
  basis: 'words' | 'plan' | 'planner'
  stories: StoryEstimate[]
  roles: RoleEstimate[]
  /** What a person would need for it. */
  hours: number
  ratePerHour: number | null
  /** Hours at that rate; null without one. */
  price: number | null
  /** What the agents are likely to cost. */
  usd: number
  /** Turns whose price nobody knows: what is set aside for them counts. */
  unpriced: number
  /** What the estimate itself has cost. */
  spentUsd: number
}

interface StoryEstimate {
  story: string
  title: string
  complexity: Complexity
  reasons: string[]
  hours: number
  price: number | null
  usd: number
}

interface RoleEstimate {
  role: string
  agent: string
  turns: number
  usd: number
}

export interface PricedTurn extends ExpectedTurn {
  usd: number
  priced: boolean
}

/** What a person takes for a story. */
export const hoursOf: Record<Complexity, number> = { 1: 0.5, 2: 1, 3: 2, 5: 4, 8: 8, 13: 16 }

export interface EstimateBasis {
  basis: EstimateView['basis']
  plan: Plan
  reasons: Record<string, string[]>
  turns: PricedTurn[]
  ratePerHour: number | null
  spentUsd: number
}

export function estimateView({ basis, plan, reasons, turns, ratePerHour, spentUsd }: EstimateBasis): EstimateView {
  const priceOf = (hours: number): number | null => (ratePerHour === null ? null : hours * ratePerHour)
  const stories = plan.stories.map(({ id, title, complexity }) => ({
    ...{ story: id, title, complexity, reasons: reasons[id] ?? [], hours: hoursOf[complexity] },
    price: priceOf(hoursOf[complexity]),
    usd: sum(turns.filter(({ story }) => story === id)),
  }))
  const hours = stories.reduce((all, one) => all + one.hours, 0)
  return {
    ...{ basis, stories, hours, ratePerHour, price: priceOf(hours), spentUsd },
    roles: rolesIn(turns),
    usd: sum(turns),
    unpriced: turns.filter(({ priced }) => !priced).length,
  }
}

const sum = (turns: PricedTurn[]): number => turns.reduce((all, { usd }) => all + usd, 0)

function rolesIn(turns: PricedTurn[]): RoleEstimate[] {
  const groups = new Map<string, PricedTurn[]>()
  for (const turn of turns) {
    const key = `${turn.role} ${turn.agent}`
    groups.set(key, [...(groups.get(key) ?? []), turn])
  }
  return [...groups.values()].map((group) => {
    const { role, agent } = group[0]!
    return { role, agent, turns: group.length, usd: sum(group) }
  })
}
