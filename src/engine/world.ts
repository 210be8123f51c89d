import type { DeliveryState } from '../delivery/state.ts'
import type { Clock } from '../ports/clock.ts'
import type { EventLog, Lease, Recorded, Wake } from '../ports/event-log.ts'
import type { Perform } from '../ports/performer.ts'

/** What the loop needs of the world. */
export interface EngineWorld {
  log: EventLog
  clock: Clock
  wake: Wake
  perform: Perform
  /** Ends every process whose mark starts so, and what others left behind. Null: nobody has started any before us. */
  sweep(markPrefix: string | null): Promise<void>
  worker: { id: string; host: string; pid: number }
  /** Tells our processes from those of another home on the same machine. */
  homeTag: string
  leaseMs: number
  /** The calendar day as `YYYY-MM-DD`. */
  dayOf(at: number): string
  onChange(state: DeliveryState, recorded: Recorded[]): void
  /** A named moment at which a test may kill the process; does nothing otherwise. */
  crashPoint(name: string): void
}

export type Drive =
  | { status: 'ended' | 'waiting' | 'paused' | 'interrupted' | 'fenced'; state: DeliveryState }
  | { status: 'busy'; lease: Lease | null }
