import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { DeliveryEvent } from '../../delivery/events.ts'
import type { Briefing } from '../../delivery/inputs/briefing.ts'
import {
  countsOnlyDollars,
  howToCount,
  isUnsaid,
  noUsage,
  overrun,
  overrunOfDay,
  type Turn,
  tokensOf,
  type Usage,
  unknownPrice,
} from '../../delivery/money/ledger.ts'
import { type AgentPolicy, isOwnProgram, tellsPrice } from '../../delivery/policy.ts'
import type { AgentStep, CompleteDelivery } from '../../delivery/step.ts'
import type { AgentDriver, Spent } from '../../ports/agent-driver.ts'
import { TerminalError } from '../../ports/errors.ts'
import { hashOf } from '../../std/hash.ts'
import { readText } from '../place/text.ts'
import { type Copies, raiseOnce, type StepWork } from '../work.ts'
import type { StepWorld } from '../world.ts'

/** A step that an agent takes its turns for. */
export type Asking<S extends AgentStep = AgentStep> = StepWork<S, Copies, Briefing>

/** What is known of its turns also where nobody will take another. */
export type Begun = Omit<Asking, 'repository'>

interface Answerer extends Pick<Begun, 'input' | 'try'> {
  step: Pick<AgentStep, 'id'>
  world: Pick<StepWorld, 'places'>
}

/** Where everything is that the agent printed in one turn of a try: the first, or the n-th time it was asked again. */
export const transcriptOf = (
  { world, input, step }: Begun,
  { try: number, again }: { try: number; again: number },
): string => world.places.spool(input.delivery, `${step.id}-${number}${again === 0 ? '' : `.${again}`}.transcript`)

/** Where a role that must answer writes its JSON in this try: a folder for it alone, which holds no other's words. */
export const resultFileOf = ({ world, input, step, try: number }: Answerer): string =>
  join(world.places.result(input.delivery, 'answers'), `${step.id}-${number}`, 'answer.json')

/** What it has written there, without secrets; null: nothing. */
export async function writtenResult(work: Asking): Promise<string | null> {
  const text = await readText(resultFileOf(work))
  return text === null ? null : work.world.redact(text)
}

/** What an agent prints comes through our hands; this it writes itself, so secrets are taken out when its turn is over. */
export async function redactResult(work: Begun): Promise<void> {
  const path = resultFileOf(work)
  const text = await readText(path)
  const redacted = text === null ? null : work.world.redact(text)
  if (redacted === null) await rm(path, { recursive: true, force: true })
  else if (redacted !== text) await writeFile(path, redacted, { mode: 0o600 })
}

/** Where an answer is about no commit: neither the repository nor the requirement can have named it before. */
export const nonceOf = ({ input, step }: Pick<Answerer, 'input' | 'step'>): string =>
  hashOf([input.delivery, step.id, 'nonce'])

/** Puts a turn into the ledger. Tokens without a price, and work without tokens, are an alarm, not a zero. */
export async function recordSpent(
  work: Begun,
  { role, spent, durationMs, worked, lost, context }: TurnTaken,
): Promise<void> {
  const { world, input, step } = work
  const { agent, story, model } = step
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
  await work.record({ type: 'TurnSpent', step: step.id, turn, totals, ...(context === undefined ? {} : { context }) })
  // A program of the user's own says no more than it was written to say.
  const text = isOwn && price === 'untold' ? null : alarmOf(turn)
  if (text !== null) await raiseOnce(work, null, text)
}

interface TurnTaken {
  role: string
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
  {
    world,
    input,
    step: { agent, model },
  }: Pick<Asking, 'input' | 'step'> & { world: Pick<StepWorld, 'prices' | 'clock'> },
  policy: AgentPolicy,
): Promise<void> {
  if (model === null || !countsOnlyDollars(input.policy.ceilings) || !isUnsaid(policy) || tellsPrice(policy)) return
  const usage = { inputTokens: 1, outputTokens: 1, cachedTokens: 0 }
  if ((await world.prices.usd({ model, usage, at: world.clock.now() })) !== null) return
  throw new TerminalError(unknownPrice({ agent, model }), `${howToCount(agent)}; then resume with --repin.`)
}

/** The ceiling that a turn in flight has reached, or null. */
export async function overrunBy(
  { world, input, step, standing }: Pick<Asking, 'world' | 'input' | 'step' | 'standing'>,
  { usage, model, ms }: { usage: Usage; model: string | null; ms: number },
): Promise<string | null> {
  const at = world.clock.now()
  const isTold = model !== null && tokensOf(usage) > 0
  const usd = isTold ? await world.prices.usd({ model, usage, at }) : null
  const { ceilings, agents } = input.policy
  const policy = agents[step.agent]
  // Another model than it was asked for.
  if (isTold && usd === null && countsOnlyDollars(ceilings) && isUnsaid(policy) && !tellsPrice(policy!))
    return unknownPrice({ agent: step.agent, model })
  const live = { step: step.id, story: step.story, tokens: tokensOf(usage), usd, ms }
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

const types = ['StepStarted', 'AgentStarted', 'SessionOpened', 'TurnSpent'] satisfies DeliveryEvent['type'][]

/** A turn that was started and is not in the ledger died with our process. It was paid: its transcript may tell how much. What it wrote has secrets in it still. */
export async function recordLostTurns(work: Begun, driver: AgentDriver): Promise<void> {
  if (work.try === 1) return
  const { world, input, step } = work
  for (let number = 1; number < work.try; number++) await redactResult({ ...work, try: number })
  const about = { delivery: input.delivery, story: step.story, types }
  const recorded = await world.log.query({ ...about, after: 0, limit: 200, from: 'last' })
  const own = recorded.map(({ event }) => event).filter((event) => stepOf(event) === step.id)
  const session = own.findLast((event) => event.type === 'SessionOpened')?.session ?? null
  for (const { role, promptDigest, totals: before, ...turn } of lostIn(own)) {
    const totals = step.verb === 'CodeStory' ? (input.session?.totals ?? null) : before
    const promptChars = (await world.blobs.get(promptDigest))?.length ?? 0
    const salvaged = await driver.salvage({ transcript: transcriptOf(work, turn), totals, session, promptChars })
    const spent = { ...(salvaged ?? unknownSpent), exact: false }
    await recordSpent(work, { role, spent, durationMs: 0, worked: false, lost: true })
  }
}

const stepOf = (event: DeliveryEvent): string | null =>
  event.type === 'StepStarted' ? event.step.id : 'step' in event ? event.step : null

/** The turns beyond those in the ledger, each with its try, its number in it, and what its session had spent before. */
function lostIn(own: DeliveryEvent[]) {
  const begun: { role: string; promptDigest: string; try: number; again: number; totals: Usage | null }[] = []
  let [number, again, counted] = [1, 0, 0]
  let totals: Usage | null = null
  for (const event of own) {
    if (event.type === 'StepStarted') {
      ;[number, again, totals] = [event.try, 0, null]
    } else if (event.type === 'AgentStarted') {
      const { role, promptDigest } = event
      begun.push({ role, promptDigest, try: number, again, totals })
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
