import type { Interim, Outcome, Stepping } from '../delivery/events.ts'
import type { Standing } from '../delivery/inputs/briefing.ts'
import type { InputOf } from '../delivery/inputs/input.ts'
import type { Step } from '../delivery/step.ts'

/**
 * Carries out one step and returns its outcome. It must be safe to perform again after a kill at any moment:
 * it looks at the world first, and finishes or redoes. Throws TransientError and TerminalError for what the world
 * does; anything else it throws is our bug. When the signal aborts it ends its processes and rejects or returns.
 */
export type Perform = (performance: Performance) => Promise<Ending>

export type Ending = Outcome | Extract<Stepping, { type: 'StepParked' | 'AgentRefused' }>

export interface Performance<S extends Step = Step> {
  step: S
  /** All that the law gives the step of its delivery. */
  input: InputOf<S>
  /** What moves on while it runs, as it is now. */
  standing: () => Standing
  /** 1 for the first start. Above 1, an earlier start was parked, aborted, or died without a word. */
  try: number
  /** For the environment of every process of this try. */
  mark: string
  signal: AbortSignal
  /** Appends a fact while the step runs; resolves when it is in the log. */
  record: (event: Interim) => Promise<void>
}
