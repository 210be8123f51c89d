import type { Usage } from '../delivery/money/ledger.ts'
import { type Complexity, complexities, type Plan, type Story } from '../delivery/plan/plan.ts'
import type { Policy } from '../delivery/policy.ts'
import { rungOf } from '../delivery/story/course/ladder.ts'
import { freshStory } from '../delivery/story/story.ts'
import { oneLine } from '../std/text/plain-text.ts'

export interface EstimateBasis {
  /** Where the stories are from: the words of the requirement, a plan file, or a planner. */
  basis: 'words' | 'plan' | 'planner'
  plan: Plan
  reasons: Record<string, string[]>
  turns: PricedTurn[]
  ratePerHour: number | null
  /** What the estimate itself has cost. */
  spentUsd: number
}

/** A turn that is expected, before anybody has taken it. */
export interface ExpectedTurn {
  story: string | null
  role: string
  agent: string
  model: string | null
  usage: Usage
}

export interface PricedTurn extends ExpectedTurn {
  usd: number
  priced: boolean
}

/** What a requirement is likely to take. What `estimate` shows, and its JSON. */
export type EstimateView = ReturnType<typeof estimateView>

/** What a person takes for a story. */
export const hoursOf: Record<Complexity, number> = { 1: 0.5, 2: 1, 3: 2, 5: 4, 8: 8, 13: 16 }

export function estimateView({ basis, plan, reasons, turns, ratePerHour, spentUsd }: EstimateBasis) {
  const priceOf = (hours: number): number | null => (ratePerHour === null ? null : hours * ratePerHour)
  const stories = plan.stories.map(({ id, title, complexity }) => ({
    ...{ story: id, title, complexity, reasons: reasons[id] ?? [], hours: hoursOf[complexity] },
    price: priceOf(hoursOf[complexity]),
    usd: sum(turns.filter(({ story }) => story === id)),
  }))
  // What a person would need for it.
  const hours = stories.reduce((all, one) => all + one.hours, 0)
  return {
    ...{ basis, stories, hours, ratePerHour, price: priceOf(hours), spentUsd },
    roles: rolesIn(turns),
    /** What the agents are likely to cost. */
    usd: sum(turns),
    /** Turns whose price nobody knows: what is set aside for them counts. */
    unpriced: turns.filter(({ priced }) => !priced).length,
  }
}

const sum = (turns: PricedTurn[]): number => turns.reduce((all, { usd }) => all + usd, 0)

function rolesIn(turns: PricedTurn[]) {
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

/** What the settings make of a plan when nothing goes wrong: no second attempt, one round of mending for what is hard. */
export function expectedTurns(policy: Policy, plan: Plan, { drafted }: { drafted: boolean }): ExpectedTurn[] {
  const { roles, intent } = policy
  const turnOf = (role: string, chain: string[]) => turnsOf(policy, { role, chain, story: null, weight: 3 })
  const meaning = [...turnOf('interpreter', roles.interpreter), ...turnOf('challenger', roles.challenger)]
  const before = [...(intent.skip ? [] : meaning), ...turnOf('planner', roles.planner)]
  return [...(drafted ? [] : before), ...plan.stories.flatMap((story) => storyTurns(policy, story))]
}

function storyTurns(policy: Policy, story: Story): ExpectedTurn[] {
  const { roles, review, strategy } = policy
  const { id, complexity: weight } = story
  const rung = rungOf(policy, freshStory(story, 'story'))
  const usage = usageOf('coder', weight)
  const coding = rung === null ? [] : [{ story: id, role: 'coder', agent: rung.agent, model: rung.model, usage }]
  const turnOf = (role: string, chain: string[]) => turnsOf(policy, { role, chain, story: id, weight })
  const testing = [...turnOf('test-writer', roles.testWriter), ...turnOf('verifier', roles.verifier)]
  const triagers = roles.triager.length > 0 ? roles.triager : roles.planner
  return [
    ...(weight >= 5 ? [...coding, ...coding] : coding),
    ...((story.strategy ?? strategy) === 'three-session' ? testing : []),
    ...review.reviewers.flatMap(({ agents }) => turnOf('reviewer', agents)),
    ...(review.reviewers.length === 0 ? [] : turnOf('triager', triagers)),
  ]
}

function turnsOf(
  policy: Policy,
  { role, chain, story, weight }: { role: string; chain: string[]; story: string | null; weight: number },
): ExpectedTurn[] {
  const [agent] = chain
  if (agent === undefined) return []
  const models = policy.agents[agent]?.models
  const model = models?.balanced ?? models?.powerful ?? models?.fast ?? null
  return [{ story, role, agent, model, usage: usageOf(role, weight) }]
}

/** Thousands of tokens in and out: a turn's own, and for each point of complexity. */
const figures: Record<string, [input: number, perPoint: number, output: number, perPointOut: number]> = {
  interpreter: [30, 0, 2.5, 0],
  challenger: [30, 0, 1.5, 0],
  planner: [40, 0, 4, 0],
  coder: [60, 60, 3, 3],
  'test-writer': [40, 30, 2, 2],
  verifier: [25, 5, 1.5, 0],
  reviewer: [20, 6, 1.5, 0.2],
  triager: [12, 2, 1, 0],
}

/** Most of what is read was read before in the same session. */
const cachedShare = 0.7

function usageOf(role: string, weight: number): Usage {
  const [input, perPoint, output, perPointOut] = figures[role] ?? [30, 0, 2, 0]
  const inputTokens = Math.round((input + perPoint * weight) * 1000)
  const outputTokens = Math.round((output + perPointOut * weight) * 1000)
  return { inputTokens, outputTokens, cachedTokens: Math.round(inputTokens * cachedShare) }
}

/** What a requirement would come to, told by its words alone: a story for each thing that it lists. */
export function quickPlan(text: string): { plan: Plan; reasons: Record<string, string[]> } {
  const goals = goalsIn(text).slice(0, mostGoals)
  const weighed = goals.map((goal, index) => ({ id: `goal-${index + 1}`, goal, ...weightOf(goal) }))
  const stories = weighed.map(({ id, goal, complexity }) => storyOf(id, goal, complexity))
  return {
    plan: { stories, outline: null },
    reasons: Object.fromEntries(weighed.map(({ id, reasons }) => [id, reasons])),
  }
}

const mostGoals = 50
const item = /^\s*(?:[-*+•]|\d+[.)])\s+(\S.*)$/

/** List items where there are at least two; else the text as a whole. */
function goalsIn(text: string): string[] {
  const items = text.split('\n').flatMap((line) => item.exec(line)?.[1] ?? [])
  return items.length >= 2 ? items : [text]
}

const signs: [pattern: RegExp, rungs: number, reason: string][] = [
  [/\b(?:typos?|wording|rename|spelling|colou?r|label|comment)\b/i, -1, 'a matter of words'],
  [/\b(?:refactor\w*|restructure\w*|rewrite|redesign|replace all)\b/i, 1, 'changes what is there'],
  [/\b(?:migrat\w+|upgrade|schema|database|backwards?.compatib\w+)\b/i, 1, 'touches data or versions'],
  [/\b(?:auth\w*|permission\w*|encrypt\w*|security|payment\w*)\b/i, 1, 'touches security or money'],
  [/\b(?:concurren\w+|parallel|race|transaction\w*|distributed|architecture)\b/i, 2, 'hard to get right'],
  [/\b(?:every|everywhere|all|across|throughout)\b/i, 1, 'in many places'],
]

/** Begins in the middle, and each sign moves it up or down. */
function weightOf(goal: string): { complexity: Complexity; reasons: string[] } {
  const seen = signs.filter(([pattern]) => pattern.test(goal))
  const words = goal.split(/\s+/).filter(Boolean).length
  const long = words > 120 ? 2 : words > 40 ? 1 : 0
  const rung = 1 + long + seen.reduce((total, [, rungs]) => total + rungs, 0)
  const complexity = complexities[Math.max(0, Math.min(complexities.length - 1, rung))]!
  return { complexity, reasons: [...(long > 0 ? [`${words} words`] : []), ...seen.map(([, , reason]) => reason)] }
}

const storyOf = (id: string, goal: string, complexity: Complexity): Story => ({
  ...{ id, title: oneLine(goal, 120), description: goal, criteria: [], dependsOn: [], complexity },
  ...{ files: [], contextFiles: [], risks: [], mayChange: [], mayBeEmpty: false },
  ...{ strategy: null, noTestsBecause: '', tests: 'witnessed', proofs: [] },
})
