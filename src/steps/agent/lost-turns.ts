import type { Interim } from '../../delivery/events.ts'
import { policyOf, storyOf } from '../../delivery/state.ts'
import type { AgentStep, CompleteDelivery } from '../../delivery/step.ts'
import { usesAgent } from '../../delivery/step.ts'
import type { AgentDriver } from '../../ports/agent-driver.ts'
import type { Performance } from '../../ports/performer.ts'
import type { StepWorld } from '../world.ts'
import { recordSpent, unknownSpent } from './ledger.ts'
import { transcriptOf } from './transcript.ts'

const lookedAt = 200

/** A turn that was started and is not in the ledger died with our process. It was paid: its transcript may tell how much. */
export async function recordLostTurns(
  world: StepWorld,
  performance: Performance<AgentStep>,
  driver: AgentDriver,
): Promise<void> {
  if (performance.try === 1) return
  const { state, step } = performance
  const types: Interim['type'][] = ['AgentStarted', 'SessionOpened', 'TurnSpent']
  const about = { delivery: state.id, story: step.story, types }
  const recorded = await world.log.query({ ...about, after: 0, limit: lookedAt, from: 'last' })
  const own = recorded.flatMap(({ event }) => ('step' in event && event.step === step.id ? [event] : []))
  const starts = own.flatMap((event) => (event.type === 'AgentStarted' ? [event] : []))
  const totals = step.verb === 'CodeStory' ? (storyOf(state, step.story).session?.totals ?? null) : null
  const counted = own.filter(({ type }) => type === 'TurnSpent').length
  const session = own.findLast((event) => event.type === 'SessionOpened')?.session ?? null
  for (const { role, model } of starts.slice(counted)) {
    const transcript = transcriptOf(world, performance, performance.try - 1)
    const spent = (await driver.salvage({ transcript, totals, session })) ?? unknownSpent
    const taken = { role, model, spent: { ...spent, exact: false }, durationMs: 0, worked: false }
    await recordSpent(world, performance, taken)
  }
}

/** The same at the end, for turns that nobody will take again. */
export async function recordAbandonedTurns(
  world: StepWorld,
  performance: Performance<CompleteDelivery>,
): Promise<void> {
  const { state } = performance
  for (const { step, try: number } of Object.values(state.running)) {
    if (!usesAgent(step)) continue
    const driver = await world.driver(policyOf(state).agents[step.agent]?.driver ?? '')
    if (driver !== null) await recordLostTurns(world, { ...performance, step, try: number + 1 }, driver)
  }
}
