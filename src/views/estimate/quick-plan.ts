import type { Complexity, Plan, Story } from '../../delivery/plan/plan.ts'
import { complexities } from '../../delivery/plan/plan.ts'
import { oneLine } from '../../std/text/plain-text.ts'

/** What a requirement would come to, told by its words alone: a story for each thing that it lists. */
export function quickPlan(text: string): { plan: Plan; reasons: Record<string, string[]> } {
  const goals = goalsIn(text).slice(0, mostGoals)
  const weighed = goals.map((goal) => ({ goal, ...weightOf(goal) }))
  const stories = weighed.map(({ goal, complexity }, index) => storyOf(`goal-${index + 1}`, goal, complexity))
  return {
    plan: { stories, outline: null },
    reasons: Object.fromEntries(weighed.map(({ reasons }, index) => [`goal-${index + 1}`, reasons])),
  }
}

const mostGoals = 50
const item = /^\s*(?:[-*+•]|\d+[.)])\s+(\S.*)$/

/** List items where there are at least two; else the text as a whole. */
function goalsIn(text: string): string[] {
  const items = text.split('\n').flatMap((line) => item.exec(line)?.[1] ?? [])
  return items.length >= 2 ? items : [text]
}

interface Sign {
  pattern: RegExp
  rungs: number
  reason: string
}

const signs: Sign[] = [
  { pattern: /\b(?:typos?|wording|rename|spelling|colou?r|label|comment)\b/i, rungs: -1, reason: 'a matter of words' },
  {
    pattern: /\b(?:refactor\w*|restructure\w*|rewrite|redesign|replace all)\b/i,
    rungs: 1,
    reason: 'changes what is there',
  },
  {
    pattern: /\b(?:migrat\w+|upgrade|schema|database|backwards?.compatib\w+)\b/i,
    rungs: 1,
    reason: 'touches data or versions',
  },
  {
    pattern: /\b(?:auth\w*|permission\w*|encrypt\w*|security|payment\w*)\b/i,
    rungs: 1,
    reason: 'touches security or money',
  },
  {
    pattern: /\b(?:concurren\w+|parallel|race|transaction\w*|distributed|architecture)\b/i,
    rungs: 2,
    reason: 'hard to get right',
  },
  { pattern: /\b(?:every|everywhere|all|across|throughout)\b/i, rungs: 1, reason: 'in many places' },
]

/** Begins in the middle, and each sign moves it up or down. */
function weightOf(goal: string): { complexity: Complexity; reasons: string[] } {
  const seen = signs.filter(({ pattern }) => pattern.test(goal))
  const words = goal.split(/\s+/).filter(Boolean).length
  const long = words > 120 ? 2 : words > 40 ? 1 : 0
  const rung = 1 + long + seen.reduce((sum, { rungs }) => sum + rungs, 0)
  const complexity = complexities[Math.max(0, Math.min(complexities.length - 1, rung))]!
  return { complexity, reasons: [...(long > 0 ? [`${words} words`] : []), ...seen.map(({ reason }) => reason)] }
}

const storyOf = (id: string, goal: string, complexity: Complexity): Story => ({
  ...{ id, title: oneLine(goal, 120), description: goal, criteria: [], dependsOn: [], complexity },
  ...{ files: [], contextFiles: [], risks: [], mayChange: [], mayBeEmpty: false },
  ...{ strategy: null, noTestsBecause: '', tests: 'witnessed', proofs: [] },
})
