import type { Usage } from '../../delivery/money/ledger.ts'
import type { Plan, Story } from '../../delivery/plan/plan.ts'
import type { Policy } from '../../delivery/policy.ts'
import { rungOf } from '../../delivery/story/course/ladder.ts'
import { freshStory } from '../../delivery/story/story.ts'

/** A turn that is expected, before anybody has taken it. */
export interface ExpectedTurn {
  story: string | null
  role: string
  agent: string
  model: string | null
  usage: Usage
}

/** What the settings make of a plan when nothing goes wrong: no second attempt, one round of mending for what is hard. */
export function expectedTurns(policy: Policy, plan: Plan, { drafted }: { drafted: boolean }): ExpectedTurn[] {
  const { roles, intent } = policy
  const before = drafted
    ? []
    : [
        ...(intent.skip
          ? []
          : turnsOf(policy, { role: 'interpreter', chain: roles.interpreter, story: null, weight: 3 })),
        ...(intent.skip
          ? []
          : turnsOf(policy, { role: 'challenger', chain: roles.challenger, story: null, weight: 3 })),
        ...turnsOf(policy, { role: 'planner', chain: roles.planner, story: null, weight: 3 }),
      ]
  return [...before, ...plan.stories.flatMap((story) => storyTurns(policy, story))]
}

function storyTurns(policy: Policy, story: Story): ExpectedTurn[] {
  const { roles, review, strategy } = policy
  const { id, complexity: weight } = story
  const rung = rungOf(policy, freshStory(story, 'story'))
  const own = rung === null ? [] : Array.from({ length: weight >= 5 ? 2 : 1 }, () => ({ ...rung, role: 'coder' }))
  const tests = (story.strategy ?? strategy) === 'three-session'
  return [
    ...own.map(({ role, agent, model }) => ({ story: id, role, agent, model, usage: usageOf(role, weight) })),
    ...(tests ? turnsOf(policy, { role: 'test-writer', chain: roles.testWriter, story: id, weight }) : []),
    ...(tests ? turnsOf(policy, { role: 'verifier', chain: roles.verifier, story: id, weight }) : []),
    ...review.reviewers.flatMap(({ agents }) =>
      turnsOf(policy, { role: 'reviewer', chain: agents, story: id, weight }),
    ),
    ...(review.reviewers.length === 0
      ? []
      : turnsOf(policy, {
          role: 'triager',
          chain: roles.triager.length > 0 ? roles.triager : roles.planner,
          story: id,
          weight,
        })),
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
