import type { Story } from '../../../src/delivery/plan/plan.ts'
import type { EngineWorld } from '../../../src/engine/world.ts'
import type { EventLog, Wake } from '../../../src/ports/event-log.ts'
import type { Perform } from '../../../src/ports/performer.ts'
import type { Chance } from './chance.ts'
import type { Ground } from './ground.ts'
import type { VirtualClock } from './virtual-clock.ts'

export interface Shared {
  log: EventLog
  clock: VirtualClock
  wake: Wake
  ground: Ground
  chance: Chance
  /** What a planner drafts. */
  stories: Story[]
  leaseMs: number
  /** One in so many chances to die is taken. */
  deadly: number
}

/** One process of ours: it may be killed at any call that has an effect, or fall asleep and come back a zombie. */
export class Worker {
  readonly died: Promise<'died'>
  dead = false
  private sleepsUntil = 0
  private readonly shared: Shared
  private readonly id: number
  private tellDeath: (how: 'died') => void = () => undefined

  constructor(shared: Shared, id: number) {
    this.shared = shared
    this.id = id
    this.died = new Promise((resolve) => {
      this.tellDeath = resolve
    })
  }

  world(perform: (worker: Worker) => Perform): EngineWorld {
    const { clock, wake, ground, leaseMs, log } = this.shared
    return {
      log: this.frail(log),
      clock: { now: clock.now, until: (at, signal) => this.alive(() => clock.until(at, signal)) },
      wake,
      perform: perform(this),
      sweep: (prefix) => this.alive(async () => ground.sweep(prefix)),
      worker: { id: `w${this.id}`, host: 'here', pid: this.id },
      homeTag: 'home',
      leaseMs,
      dayOf: () => '2026-01-01',
      onChange: () => undefined,
      crashPoint: () => undefined,
    }
  }

  /** The act, with the risk of dying just before or just after it. A dead process never hears back. */
  async risk<T>(act: () => Promise<T>): Promise<T> {
    const { chance, deadly } = this.shared
    if (chance.oneIn(deadly)) this.die()
    const result = await this.alive(act)
    if (chance.oneIn(deadly)) this.die()
    return await this.alive(async () => result)
  }

  async alive<T>(act: () => Promise<T>): Promise<T> {
    const { chance, clock, leaseMs, deadly } = this.shared
    if (chance.oneIn(deadly * 4)) this.sleepsUntil = clock.now() + leaseMs * 3
    if (this.sleepsUntil > clock.now()) await clock.until(this.sleepsUntil, new AbortController().signal)
    if (this.dead) return await new Promise<never>(() => undefined)
    return await act()
  }

  die(): void {
    this.dead = true
    this.tellDeath('died')
  }

  private frail(log: EventLog): EventLog {
    return new Proxy(log, {
      get: (target, name: keyof EventLog) => {
        const method = target[name] as (...given: unknown[]) => Promise<unknown>
        return (...given: unknown[]) => {
          const act = () => method.apply(target, given)
          return name === 'append' ? this.risk(act) : this.alive(act)
        }
      },
    })
  }
}
