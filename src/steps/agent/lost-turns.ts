import type { Interim } from '../../delivery/events.ts'
import { noUsage } from '../../delivery/money/ledger.ts'
import { policyOf } from '../../delivery/state.ts'
import type { CodeStory, DraftPlan } from '../../delivery/step.ts'
import type { Performance } from '../../ports/performer.ts'
import type { StepWorld } from '../world.ts'

const lookedAt = 200

/** A turn that was started and is not in the ledger died with our process. It was paid; what was set aside stands for it. */
export async function recordLostTurns(
  world: StepWorld,
  performance: Performance<CodeStory | DraftPlan>,
): Promise<void> {
  if (performance.try === 1) return
  const { state, step, record } = performance
  const types: Interim['type'][] = ['AgentStarted', 'TurnSpent']
  const about = { delivery: state.id, story: step.story, types }
  const recorded = await world.log.query({ ...about, after: 0, limit: lookedAt, from: 'last' })
  const own = recorded.flatMap(({ event }) => ('step' in event && event.step === step.id ? [event] : []))
  const starts = own.flatMap((event) => (event.type === 'AgentStarted' ? [event] : []))
  const usd = policyOf(state).agents[step.agent]?.reserveUsd ?? 0
  for (const { role, agent, model } of starts.slice(own.length - starts.length)) {
    const turn = { story: step.story, role, agent, model, usage: noUsage, usd, exact: false, durationMs: 0 }
    await record({ type: 'TurnSpent', step: step.id, turn })
  }
}
