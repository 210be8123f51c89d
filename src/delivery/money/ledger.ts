import type { StepId, StoryId, Who } from '../ids.ts'
import type { AgentPolicy, Ceilings, Policy } from '../policy.ts'

export interface Usage {
  inputTokens: number
  outputTokens: number
  cachedTokens: number
}

/** One agent turn in the ledger. */
export interface Turn extends Who {
  story: StoryId | null
  role: string
  usage: Usage
  usd: number
  /** False when the figure was estimated, for example from the partial stream of a killed turn. */
  exact: boolean
  /**
   * Where the price is from: the agent, the price list, or nowhere; then `usd` is what was set aside. `untold`: the
   * agent has worked and said nothing about what it used. `lost`: it came to no end, and nobody can tell whether it used
   * anything. `free`: nobody knows one, and the user says that it is 0.
   */
  price: 'told' | 'listed' | 'unknown' | 'untold' | 'lost' | 'free'
  durationMs: number
}

export const noUsage: Usage = { inputTokens: 0, outputTokens: 0, cachedTokens: 0 }

/** What is read from a cache is part of the input. */
export const tokensOf = ({ inputTokens, outputTokens }: Usage): number => inputTokens + outputTokens

export interface MoneyState extends Spending {
  byStory: Record<StoryId, Spending>
  /** Set aside for turns in flight. */
  reserved: Record<StepId, Reservation>
  /** Totals by story, role, agent and model. */
  entries: Record<string, MoneyEntry>
  /** The last day whose ceiling was near, over all deliveries. */
  scarceDay: string
  /** The day on which no more may be spent, and the ceiling that says so. */
  spentDay: { day: string; text: string } | null
}

/** What ceilings are about. */
export interface Spending {
  usd: number
  tokens: number
  /** Of agents at work. */
  ms: number
}

export interface Reservation {
  usd: number
  story: StoryId | null
}

export interface MoneyEntry extends Omit<Turn, 'price'> {
  turns: number
  /** Turns without a known price: what was set aside stands for them. */
  unpriced: number
  /** Those of them, and of turns that were lost, for which nothing is set aside either: they stand for nothing in `usd`. */
  uncounted: number
}

export const noMoney = (): MoneyState => ({
  ...nothing,
  byStory: {},
  reserved: {},
  entries: {},
  scarceDay: '',
  spentDay: null,
})

export const nothing: Spending = { usd: 0, tokens: 0, ms: 0 }

export const spendingOf = ({ usd, usage, durationMs }: Turn): Spending => ({
  usd,
  tokens: tokensOf(usage),
  ms: durationMs,
})

export const both = (one: Spending, other: Spending): Spending => ({
  usd: one.usd + other.usd,
  tokens: one.tokens + other.tokens,
  ms: one.ms + other.ms,
})

export function spend(money: MoneyState, turn: Turn): void {
  const spent = spendingOf(turn)
  Object.assign(money, both(money, spent))
  if (turn.story !== null) money.byStory[turn.story] = both(money.byStory[turn.story] ?? nothing, spent)
  const key = [turn.story ?? '', turn.role, turn.agent, turn.model ?? ''].join('|')
  money.entries[key] = added(money.entries[key] ?? emptyEntry(turn), turn)
}

/** Why a turn with this reserve may not start, or null. */
export function ceilingReached(
  { money, reserved }: { money: MoneyState; reserved: Reservation[] },
  ceilings: Ceilings,
  ask: Reservation,
): string | null {
  const reached = gauges(money, ceilings, ask.story).find((gauge) =>
    isReached(gauge, ask.usd + asideFor(reserved, gauge, ask.story)),
  )
  return reached === undefined ? null : gaugeText(reached)
}

/** Whether no turn may start that sets so much aside. */
export const isReached = ({ spent, ceiling, unit }: Gauge, usd: number): boolean =>
  spent >= ceiling || (unit === 'USD' && spent + usd > ceiling)

/** What a turn has spent that is not in the ledger yet. */
export interface Live {
  step: StepId
  story: StoryId | null
  tokens: number
  /** Null when no price is known. */
  usd: number | null
  ms: number
}

/** The ceiling that a turn in flight has reached by itself, or null. */
export function overrun(money: MoneyState, ceilings: Ceilings, live: Live): string | null {
  const others = Object.entries(money.reserved).flatMap(([step, one]) => (step === live.step ? [] : [one]))
  const reached = gauges(money, ceilings, live.story).find((gauge) =>
    isOverrun(gauge, live, asideFor(others, gauge, live.story)),
  )
  return reached === undefined ? null : gaugeText(reached)
}

/** The ceiling of the day that a turn in flight has reached, beside what all deliveries have spent on it, or null. */
export function overrunOfDay(day: string, spent: Spending, given: { ceilings: Ceilings; live: Live }): string | null {
  const reached = gaugesOfDay(day, spent, given.ceilings).find((gauge) => isOverrun(gauge, given.live, 0))
  return reached === undefined ? null : gaugeText(reached)
}

function isOverrun({ unit, spent, ceiling }: Gauge, { tokens, usd, ms }: Live, aside: number): boolean {
  if (unit === 'minutes') return spent + ms / 60_000 >= ceiling
  // Who has told nothing yet has not reached it by itself.
  if (unit === 'tokens') return tokens > 0 && spent + tokens >= ceiling
  return usd !== null && spent + aside + usd >= ceiling
}

const asideFor = (reserved: Reservation[], { of }: Gauge, story: StoryId | null): number =>
  sum(reserved.filter((one) => of === 'the delivery' || one.story === story).map(({ usd }) => usd))

/** Why to be sparing with the story's next turn, or null. */
export function nearCeiling(
  money: MoneyState,
  ceilings: Ceilings,
  { story, day }: { story: StoryId; day: string },
): string | null {
  if (day !== '' && day === money.scarceDay) return nearly('what may be spent today')
  return warnings(money, ceilings, story)[0] ?? null
}

/** One for each ceiling that is near. */
export const warnings = (money: MoneyState, ceilings: Ceilings, story: StoryId | null): string[] =>
  gauges(money, ceilings, story)
    .filter(isNear)
    .map((gauge) => nearly(gauge.of === 'the story' ? `${gaugeText(gauge)} ${story}` : gaugeText(gauge)))

export const isNear = ({ spent, ceiling }: Gauge): boolean => spent >= 0.8 * ceiling
export const nearly = (what: string): string => `80 % of ${what} is spent`

/** A ceiling that is set, and what counts towards it. */
export interface Gauge {
  /** `the delivery`, `the story`, or a day. */
  of: string
  unit: 'USD' | 'tokens' | 'minutes'
  spent: number
  ceiling: number
}

export const gaugeText = ({ ceiling, unit, of }: Gauge): string => `${ceiling} ${unit} for ${of}`

function gauges(money: MoneyState, ceilings: Ceilings, story: StoryId | null): Gauge[] {
  const inDelivery = [ceilings.usdPerDelivery, ceilings.tokensPerDelivery, ceilings.minutesPerDelivery]
  const ofDelivery = gaugesOf('the delivery', money, inDelivery)
  if (story === null) return ofDelivery
  const inStory = [ceilings.usdPerStory, ceilings.tokensPerStory, ceilings.minutesPerStory]
  return [...ofDelivery, ...gaugesOf('the story', money.byStory[story] ?? nothing, inStory)]
}

export const gaugesOfDay = (day: string, spent: Spending, ceilings: Ceilings): Gauge[] =>
  gaugesOf(day, spent, [ceilings.usdPerDay, ceilings.tokensPerDay, ceilings.minutesPerDay])

const units = ['USD', 'tokens', 'minutes'] as const

function gaugesOf(of: Gauge['of'], { usd, tokens, ms }: Spending, ceilings: (number | null)[]): Gauge[] {
  const spent = [usd, tokens, ms / 60_000]
  return units.flatMap((unit, i) => {
    const ceiling = ceilings[i] ?? null
    return ceiling === null ? [] : [{ of, unit, spent: spent[i]!, ceiling }]
  })
}

const sum = (numbers: number[]): number => numbers.reduce((total, one) => total + one, 0)

const emptyEntry = ({ story, role, agent, model }: Turn): MoneyEntry => ({
  ...{ story, role, agent, model },
  turns: 0,
  usage: noUsage,
  usd: 0,
  exact: true,
  unpriced: 0,
  uncounted: 0,
  durationMs: 0,
})

function added(entry: MoneyEntry, turn: Turn): MoneyEntry {
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
    unpriced: entry.unpriced + (isAlarming(turn) ? 1 : 0),
    uncounted: entry.uncounted + ((isAlarming(turn) || turn.price === 'lost') && turn.usd === 0 ? 1 : 0),
    durationMs: entry.durationMs + turn.durationMs,
  }
}

/** A turn that was lost or never began may have used nothing. */
const isAlarming = ({ price, usage }: Turn): boolean =>
  price === 'untold' || (price === 'unknown' && tokensOf(usage) > 0)

/**
 * A ceiling in dollars is nothing to turns whose price nobody knows, unless something says how to count them: what is set
 * aside for each, that they are free, or a ceiling in tokens. Why no more may be taken after such a turn, or null.
 */
export function uncountable(
  { agents, ceilings }: Pick<Policy, 'agents' | 'ceilings'>,
  money: MoneyState,
): string | null {
  if (!countsOnlyDollars(ceilings)) return null
  const entries = Object.values(money.entries).filter(({ uncounted, unpriced }) => uncounted > 0 && unpriced > 0)
  const found = entries.find(({ agent }) => isUnsaid(agents[agent]))
  return found === undefined ? null : `${unknownPrice(found)}. ${howToCount(found.agent)}`
}

/** Whether nobody has said how a turn of this agent counts when its price is not known. */
export const isUnsaid = (agent: AgentPolicy | undefined): boolean =>
  agent !== undefined && agent.reserveUsd === 0 && agent.free !== true

export const countsOnlyDollars = (ceilings: Ceilings): boolean =>
  [ceilings.usdPerDelivery, ceilings.usdPerStory, ceilings.usdPerDay].some((one) => one !== null) &&
  [ceilings.tokensPerDelivery, ceilings.tokensPerStory, ceilings.tokensPerDay].every((one) => one === null)

export const unknownPrice = ({ agent, model, tier = '' }: Who & { tier?: string }): string =>
  `the ceiling in USD cannot be kept: no price is known for ${model ?? 'the model'} of ${agent}${tier === '' ? '' : ` (${tier})`}`

export const howToCount = (agent: string): string =>
  `Write into ropewalk.yaml what a turn of it counts as, \`agents: { ${agent}: { reserveUsd: 0.50 } }\` (0: it is free), or a ceiling in tokens, \`ceilings: { tokensPerDelivery: 5000000 }\``
