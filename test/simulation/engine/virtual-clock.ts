import type { Clock } from '../../../src/ports/clock.ts'

interface Timer {
  at: number
  order: number
  ring: () => void
}

/** Time that passes only when everybody waits for it. */
export class VirtualClock implements Clock {
  private at = 0
  private count = 0
  private timers: Timer[] = []

  now = (): number => this.at

  until = (at: number, signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      if (signal.aborted || at <= this.at) return resolve()
      const ring = () => {
        this.timers = this.timers.filter((one) => one !== timer)
        signal.removeEventListener('abort', ring)
        resolve()
      }
      const timer: Timer = { at, order: this.count++, ring }
      this.timers.push(timer)
      signal.addEventListener('abort', ring)
    })

  /** To the next instant that somebody waits for; false when nobody does. */
  advance(): boolean {
    const [first] = this.timers.sort((a, b) => a.at - b.at || a.order - b.order)
    if (first === undefined) return false
    this.at = Math.max(this.at, first.at)
    first.ring()
    return true
  }
}
