import type { StoryId } from '../ids.ts'

export interface Usage {
  inputTokens: number
  outputTokens: number
  cachedTokens: number
}

/** One agent turn in the ledger. */
export interface Turn {
  story: StoryId | null
  role: string
  agent: string
  model: string | null
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
