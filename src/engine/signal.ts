import type { Clock } from '../ports/clock.ts'

/** "Something has happened": raised by anybody, awaited by the loop, never missed in between. */
export class Bell {
  private raised = false
  private wakeUp: (() => void) | null = null

  raise = (): void => {
    this.raised = true
    this.wakeUp?.()
  }

  /** Until raised, or until the instant if there is one. */
  async wait(clock: Clock, at: number | null): Promise<void> {
    if (!this.raised) await this.sleep(clock, at)
    this.raised = false
  }

  private async sleep(clock: Clock, at: number | null): Promise<void> {
    const stop = new AbortController()
    const raised = new Promise<void>((resolve) => {
      this.wakeUp = resolve
    })
    await (at === null ? raised : Promise.race([raised, clock.until(at, stop.signal)]))
    this.wakeUp = null
    stop.abort()
  }
}
