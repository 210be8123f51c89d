import type { DeliveryEvent, Interim } from '../delivery/events.ts'
import { type DeliveryState, initialState } from '../delivery/state.ts'
import type { Clock } from '../ports/clock.ts'
import type { Appended, Fresh, Recorded, SlotChange } from '../ports/event-log.ts'
import { fold, load, sealed, stateShape } from './load.ts'
import type { EngineWorld } from './world.ts'

const snapshotEvery = 200

/** The driver's own copy of a delivery: appends and evolves together, so that the state is always what the log says. */
export class Journal {
  state: DeliveryState
  /** Another driver has the delivery: nothing more may be written. */
  fenced = false
  /** Somebody else has appended. */
  behind = false
  private readonly world: EngineWorld
  private readonly fence: number
  private waiting: { event: Interim; cause: string; done: () => void }[] = []
  private snapshotAt = 0

  constructor(world: EngineWorld, delivery: string, fence: number) {
    this.world = world
    this.fence = fence
    this.state = initialState(delivery)
  }

  async open(): Promise<void> {
    this.state = await load(this.world.log, this.state.id)
    this.snapshotAt = this.state.version
    this.world.onChange(this.state, [])
  }

  heard(changed: Bell): void {
    this.behind = true
    changed.raise()
  }

  async catchUp(): Promise<void> {
    if (!this.behind) return
    this.behind = false
    this.take(await this.world.log.read(this.state.id, this.state.version))
  }

  async append(events: DeliveryEvent[], cause: string, slots: SlotChange[]): Promise<Appended['status']> {
    const at = this.world.clock.now()
    const fresh: Fresh[] = events.map((event) => ({ at, actor: this.world.worker.id, cause, event }))
    return await this.put(fresh, slots)
  }

  /** A fact from a running step: written with the next round of the loop, acknowledged when it is in the log. */
  record(event: Interim, cause: string, changed: Bell): Promise<void> {
    return new Promise((done) => {
      this.waiting.push({ event, cause, done })
      changed.raise()
    })
  }

  async flush(): Promise<void> {
    // Fenced off: nobody will write these any more, and nobody may wait for it.
    if (this.fenced) for (const { done } of this.waiting.splice(0)) done()
    while (this.waiting.length > 0 && !this.fenced) {
      const batch = [...this.waiting]
      const at = this.world.clock.now()
      const fresh = batch.map(({ event, cause }) => ({ at, actor: this.world.worker.id, cause, event }))
      if ((await this.put(fresh, [])) !== 'appended') continue
      this.waiting = this.waiting.slice(batch.length)
      for (const { done } of batch) done()
    }
  }

  async snapshot(): Promise<void> {
    if (this.state.version === this.snapshotAt || this.fenced) return
    this.snapshotAt = this.state.version
    await this.world.log.saveSnapshot(this.state.id, this.state.version, stateShape, sealed(this.state))
  }

  private async put(events: Fresh[], slots: SlotChange[]): Promise<Appended['status']> {
    const { id: delivery, version: expected } = this.state
    const appended = await this.world.log.append({ delivery, expected, events, fence: this.fence, slots })
    if (appended.status === 'fenced') this.fenced = true
    if (appended.status === 'conflict') {
      this.behind = true
      await this.catchUp()
    }
    if (appended.status !== 'appended') return appended.status
    this.take(appended.recorded)
    if (this.state.version - this.snapshotAt >= snapshotEvery) await this.snapshot()
    return 'appended'
  }

  private take(recorded: Recorded[]): void {
    if (recorded.length === 0) return
    fold(this.state, recorded)
    this.world.onChange(this.state, recorded)
  }
}

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
