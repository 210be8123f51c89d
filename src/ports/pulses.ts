import type { Usage } from '../delivery/money/ledger.ts'

/** What a running turn does at this moment: not history, so not in the log. Lost pulses lose nothing else. */
export interface Pulses {
  beat(delivery: string, pulse: Pulse): void
  /** The step is over. */
  stop(delivery: string, step: string): void
  of(delivery: string): Pulse[]
}

export interface Pulse {
  step: string
  story: string | null
  agent: string
  model: string | null
  state: Liveness
  /** The last thing that it did, in a few words. */
  doing: string
  startedAt: number
  /** When it last gave a sign of life. */
  seenAt: number
  /** With `limit`: until when. */
  until: number | null
  usage: Usage
  usd: number | null
}

/** `exited` is what a step without a pulse is in. */
export type Liveness = 'working' | 'permission' | 'limit' | 'silent' | 'hung' | 'exited'
