import type { DeliveryEvent } from '../../delivery/events.ts'
import type { Usage } from '../../delivery/money/ledger.ts'
import type { CompleteDelivery } from '../../delivery/step.ts'
import type { AgentDriver } from '../../ports/agent-driver.ts'
import type { StepWork } from '../work.ts'
import { recordSpent, unknownSpent } from './ledger.ts'
import { type Begun, redactResult, transcriptOf } from './transcript.ts'

const lookedAt = 200
const types = ['StepStarted', 'AgentStarted', 'SessionOpened', 'TurnSpent'] satisfies DeliveryEvent['type'][]

/** A turn that was started and is not in the ledger died with our process. It was paid: its transcript may tell how much. What it wrote has secrets in it still. */
export async function recordLostTurns(work: Begun, driver: AgentDriver): Promise<void> {
  if (work.try === 1) return
  const { world, input, step } = work
  for (let number = 1; number < work.try; number++) await redactResult({ ...work, try: number })
  const about = { delivery: input.delivery, story: step.story, types }
  const recorded = await world.log.query({ ...about, after: 0, limit: lookedAt, from: 'last' })
  const own = recorded.map(({ event }) => event).filter((event) => stepOf(event) === step.id)
  const session = own.findLast((event) => event.type === 'SessionOpened')?.session ?? null
  for (const { role, model, totals: before, promptDigest, ...turn } of lostIn(own)) {
    const totals = step.verb === 'CodeStory' ? (input.session?.totals ?? null) : before
    const transcript = transcriptOf(work, turn)
    const promptChars = (await world.blobs.get(promptDigest))?.length ?? 0
    const spent = (await driver.salvage({ transcript, totals, session, promptChars })) ?? unknownSpent
    const taken = { role, model, spent: { ...spent, exact: false }, durationMs: 0, worked: false, lost: true }
    await recordSpent(work, taken)
  }
}

const stepOf = (event: DeliveryEvent): string | null =>
  event.type === 'StepStarted' ? event.step.id : 'step' in event ? event.step : null

interface Lost {
  role: string
  model: string | null
  promptDigest: string
  try: number
  again: number
  /** The session's, before the turn. */
  totals: Usage | null
}

/** The turns beyond those in the ledger, each with the try that it belongs to and its number in it. */
function lostIn(own: DeliveryEvent[]): Lost[] {
  const begun: Lost[] = []
  let [number, again, counted] = [1, 0, 0]
  let totals: Usage | null = null
  for (const event of own) {
    if (event.type === 'StepStarted') {
      number = event.try
      again = 0
      totals = null
    } else if (event.type === 'AgentStarted') {
      const { role, model, promptDigest } = event
      begun.push({ role, model, promptDigest, try: number, again, totals })
      again += 1
    } else if (event.type === 'TurnSpent') {
      counted += 1
      totals = event.totals
    }
  }
  return begun.slice(counted)
}

/** The same at the end, for turns that nobody will take again. */
export async function recordAbandonedTurns(work: Omit<StepWork<CompleteDelivery>, 'repository'>): Promise<void> {
  const { world, input } = work
  for (const { try: number, ...turn } of input.abandoned) {
    const driver = await world.driver(input.policy.agents[turn.step.agent]?.driver ?? '')
    if (driver !== null) await recordLostTurns({ ...work, ...turn, try: number + 1 }, driver)
  }
}
