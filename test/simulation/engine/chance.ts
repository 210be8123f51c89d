/** Numbers by seed: the same seed, the same world. */
export class Chance {
  private state: number

  constructor(seed: number) {
    this.state = (seed * 2654435761) >>> 0
  }

  /** From 0 up to, not including, `below`. */
  upTo(below: number): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0
    let t = this.state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return (((t ^ (t >>> 14)) >>> 0) / 4294967296) * below
  }

  oneIn(times: number): boolean {
    return this.upTo(times) < 1
  }

  pick<T>(options: readonly T[]): T {
    return options[Math.floor(this.upTo(options.length))]!
  }
}
