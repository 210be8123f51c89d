import { noUsage, tokensOf, type Usage } from '../../delivery/money/ledger.ts'
import type { AgentEvent } from '../../ports/agent-driver.ts'
import { turnCounter } from '../../proof/model-turns.ts'
import { asCount, at } from './json.ts'

/**
 * Reads what was used from a record that has these names for it; `a.b` is within another. Several are parts: our input is
 * the whole input, with what came from a cache and what was written to one, and our output has what was thought.
 */
export function usageBy(input: string[], output: string[], cached: string) {
  const sum = (told: unknown, names: string[]): number =>
    names.reduce((total, name) => total + asCount(at(told, ...name.split('.'))), 0)
  return (told: unknown): Usage => ({
    ...{ inputTokens: sum(told, input), outputTokens: sum(told, output), cachedTokens: sum(told, [cached]) },
  })
}

/** As Anthropic's API tells it, and whoever passes that on. */
export const anthropicUsage = usageBy(
  ['input_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens'],
  ['output_tokens'],
  'cache_read_input_tokens',
)

const each =
  (join: (one: number, other: number) => number) =>
  (one: Usage, other: Usage): Usage => ({
    inputTokens: join(one.inputTokens, other.inputTokens),
    outputTokens: join(one.outputTokens, other.outputTokens),
    cachedTokens: join(one.cachedTokens, other.cachedTokens),
  })

export const sumOf = each((one, other) => one + other)

/** The larger of each. */
export const atLeast = each(Math.max)

export const difference = each((after, before) => Math.max(0, after - before))

export const times = (usage: Usage, count: number): Usage => each((one) => one * count)(usage, usage)

export const isUsed = ({ inputTokens, outputTokens }: Usage): boolean => inputTokens + outputTokens > 0

/** What an agent tells its model before all else, where nobody tells how much: its instructions and tools. */
const unseenTokens = 20_000
const charsPerToken = 3
/** What stands around the words of one more exchange and is not told: names, ids, the frame of a tool's answer. */
export const frameTokens = 500

/**
 * Reckons what those calls of the model have used that nobody told of, by what was sent and heard: rather too much than
 * too little, so that no ceiling sees less than there was.
 */
export function openEstimate(promptChars: number) {
  const callsAfter = turnCounter()
  const running = new Set<string>()
  let [calls, callsTold, charsSince, mostChars, broken] = [0, 0, 0, 0, 0]
  let told = noUsage
  let context = unseenTokens + tokensIn(promptChars)

  function hear(event: AgentEvent): void {
    calls = callsAfter(event)
    if (event.type === 'tool-started') running.add(event.id)
    if (event.type === 'tool-ended') running.delete(event.id)
    // Refused with a status it has cost nothing; without one it broke off on the way.
    if (event.type === 'retry' && event.status === null) broken += 1
    if (event.type !== 'usage' || tokensOf(event.usage) <= tokensOf(told)) return
    context = tokensOf(event.usage) - tokensOf(told) + frameTokens
    ;[told, callsTold, charsSince] = [event.usage, calls, 0]
  }

  const ofCalls = (count: number): Usage => ({
    inputTokens: count * (context + tokensIn(charsSince)),
    // Whoever has begun to answer has said something.
    outputTokens: count === 0 ? 0 : Math.max(count, tokensIn(charsSince)),
    cachedTokens: 0,
  })

  return {
    /** `chars`: what these events were told with, uncut. */
    hear(chars: number, events: AgentEvent[]): void {
      charsSince += chars
      mostChars = Math.max(mostChars, charsSince)
      for (const event of events) hear(event)
    },
    calls: () => calls,
    /** Of a call that broke off at a time that is not known: as if it had said as much as any. */
    call: (): Usage => ({ ...ofCalls(1), outputTokens: Math.max(frameTokens, tokensIn(mostChars)) }),
    /** Of calls that broke off, and that the agent made again. */
    broken: (): Usage => ofCalls(broken),
    /** Of all that is not told when a turn is cut off: where no tool runs, its model is being asked. */
    untold: (): Usage => ofCalls(broken + (Math.max(0, calls - callsTold) || (running.size === 0 ? 1 : 0))),
  }
}

export const tokensIn = (chars: number): number => Math.ceil(chars / charsPerToken)
