import type { EventLog, Lease, Watched } from '../../../src/ports/event-log.ts'

/** A log to test, and a process id whose process has ended. */
export interface Subject {
  open(): Promise<EventLog>
  endedPid(): Promise<number>
  close(): Promise<void>
}

/** What each test starts from: an empty log of the kind under test. */
export interface Given {
  log: EventLog
  subject: Subject
  make: () => Promise<Subject>
  /** Takes the lease for one second, by this process unless another is named. */
  lease(delivery: string, worker: string, by?: { at: number; pid?: number; watched?: Watched }): Promise<Lease | null>
}
