/** The time. Nothing but adapters and faces may ask the machine for it. */
export interface Clock {
  now(): number
  /** Resolves at the instant or when the signal aborts, whichever is first. Never rejects. */
  until(at: number, signal: AbortSignal): Promise<void>
}
