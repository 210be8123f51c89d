import type { Due } from '../delivery/due.ts'
import { dueSteps } from '../delivery/due.ts'
import type { DeliveryEvent } from '../delivery/events.ts'
import { isOutcome } from '../delivery/evolve.ts'
import type { Started } from '../delivery/state.ts'
import type { Step } from '../delivery/step.ts'
import { isIrrevocable, usesAgent } from '../delivery/step.ts'
import { fits } from '../delivery/stepping/fits.ts'
import { mayBeAborted } from '../delivery/stepping/stepping.ts'
import type { Lease } from '../ports/event-log.ts'
import { admission } from './admit.ts'
import { Bell, Journal } from './journal.ts'
import { keepLease, obtainLease } from './lease.ts'
import type { End, Performing } from './performing.ts'
import { begin } from './performing.ts'
import type { Drive, EngineWorld } from './world.ts'

export interface DriveRequest {
  delivery: string
  signal: AbortSignal
  /** Stay while only a human can help, because one is there to answer. */
  stay: boolean
}

/** The one loop. Start, continue, retry and resume after a crash are this same call. */
export async function drive(world: EngineWorld, request: DriveRequest): Promise<Drive> {
  const { delivery } = request
  const { id: worker, host, pid } = world.worker
  const lease = await obtainLease(world, { delivery, worker, host, pid, ttlMs: world.leaseMs }, request.signal)
  if (lease === null) return { status: 'busy', lease: await world.log.leaseOf(delivery) }
  const changed = new Bell()
  const journal = new Journal(world, delivery, lease.fence)
  const stopListening = [
    world.wake.listen(delivery, () => journal.heard(changed)),
    world.wake.listen('slots', changed.raise),
  ]
  const stopRenewing = keepLease(world, lease, (lost) => {
    if (lost) journal.fenced = true
    journal.heard(changed)
  })
  try {
    // Whoever drove before is gone; nothing it left running may touch what we are about to do.
    await world.sweep(lease.fence === 1 ? null : `${world.homeTag}:${delivery}:`)
    await journal.open()
    return await new Loop(world, request, { journal, changed, lease }).run()
  } finally {
    for (const stop of stopListening) stop()
    await stopRenewing()
  }
}

class Loop {
  private readonly performing = new Map<string, Performing>()
  private readonly ends: { one: Performing; end: End }[] = []
  private readonly world: EngineWorld
  private readonly request: DriveRequest
  private readonly journal: Journal
  private readonly changed: Bell

  constructor(world: EngineWorld, request: DriveRequest, parts: { journal: Journal; changed: Bell; lease: Lease }) {
    this.world = world
    this.request = request
    this.journal = parts.journal
    this.changed = parts.changed
    request.signal.addEventListener('abort', this.changed.raise, { once: true })
  }

  async run(): Promise<Drive> {
    try {
      return await this.turn()
    } catch (error) {
      // The log itself failed (disk full, damaged): nothing of ours may go on running unrecorded.
      await this.endAll('the log cannot be written')
      throw error
    }
  }

  private async turn(): Promise<Drive> {
    for (;;) {
      await this.settle()
      if (this.journal.fenced) return await this.abandon()
      if (this.request.signal.aborted) return await this.shutDown()
      const due = this.due()
      this.abortWhatIsNotDue(due)
      if (await this.closeWhatIsOvertaken()) continue
      const { full, again } = await this.startAndLaunch(due)
      if (again || this.ends.length > 0 || this.journal.behind) continue
      const status = this.performing.size === 0 && !full ? this.restingStatus(this.due()) : null
      if (status !== null) return await this.rest(status)
      await this.changed.wait(this.world.clock, this.due().wakeAt)
    }
  }

  private due(): Due {
    const at = this.world.clock.now()
    return dueSteps(this.journal.state, { at, day: this.world.dayOf(at), open: true, changesAt: null })
  }

  private abortWhatIsNotDue({ steps }: Due): void {
    const wanted = new Set(steps.map((step) => step.id))
    for (const one of this.performing.values()) {
      if (!wanted.has(one.step.id) && !one.aborted) one.abort('no longer due')
    }
  }

  /** A judgement or a turn that died with its worker and is not wanted any more: nobody comes back to it, and the log says so. */
  private async closeWhatIsOvertaken(): Promise<boolean> {
    const { state } = this.journal
    if (state.mode.status !== 'active') return false
    const isLeft = ({ step }: Started) =>
      (step.verb === 'Judge' || usesAgent(step)) && !this.performing.has(step.id) && !fits(state, step)
    const started = Object.values(state.running).find((one) => isLeft(one) && mayBeAborted(state, one))
    if (started === undefined) return false
    const { id: step, story } = started.step
    const reason = 'no longer due'
    const end: DeliveryEvent = { type: 'StepAborted', step, story, reason }
    await this.journal.append([end], step, [{ change: 'give', holder: started.mark }])
    return true
  }

  /** `full`: something has to wait for a slot. `again`: somebody else wrote meanwhile. */
  private async startAndLaunch(due: Due): Promise<{ full: boolean; again: boolean }> {
    let full = false
    for (const step of due.steps) {
      if (this.isMine(step) || this.mustWait(step)) continue
      const started = await this.start(step)
      if (started === 'full') full = true
      if (started === 'again') return { full, again: true }
    }
    // What was just recorded may have changed what is due: a step that died too often is not begun once more.
    for (const step of this.due().steps) {
      if (this.isMine(step) && !this.performing.has(step.id) && !this.mustWait(step)) this.launch(step)
    }
    return { full, again: false }
  }

  private isMine = (step: Step): boolean => this.journal.state.running[step.id]?.worker === this.world.worker.id

  /** One at a time in a story, but for reviewers of it; and the end only when everybody has left. */
  private mustWait(step: Step): boolean {
    const others = [...this.performing.values()].filter((one) => one.step.id !== step.id || one.aborted)
    if (step.verb === 'CompleteDelivery') return others.length > 0
    const isBeside = (other: Step) => step.verb === 'ReviewStory' && other.verb === 'ReviewStory'
    return step.story !== null && others.some((one) => one.step.story === step.story && !isBeside(one.step))
  }

  private async start(step: Step): Promise<'started' | 'full' | 'again'> {
    const { state } = this.journal
    const earlier = state.running[step.id]?.try ?? state.parked[step.id]?.try ?? 0
    const count = earlier + 1
    const mark = `${this.world.homeTag}:${this.request.delivery}:${step.id}:${count}`
    const { slots, reserveUsd, facts, instead } = await admission(this.world, { state, step, mark })
    const { id: worker } = this.world.worker
    const started: DeliveryEvent = { type: 'StepStarted', step, try: count, worker, mark, reserveUsd }
    if (instead !== null) {
      // Only what was started can be refused.
      const told: DeliveryEvent[] = instead.type === 'AgentRefused' ? [started, instead] : [instead]
      await this.journal.append([...facts, ...told], step.id, [])
      return 'again'
    }
    const status = await this.journal.append([...facts, started], step.id, slots)
    if (status === 'full') return 'full'
    if (status !== 'appended') return 'again'
    this.world.crashPoint(`started:${step.verb}`)
    return 'started'
  }

  private launch(step: Step): void {
    const started = this.journal.state.running[step.id]
    if (started === undefined) return
    const one = begin(this.world, started, {
      state: this.journal.state,
      record: (event) => this.journal.record(event, step.id, this.changed),
      ended: (done, end) => {
        this.ends.push({ one: done, end })
        this.changed.raise()
      },
    })
    this.performing.set(step.id, one)
  }

  /** Puts into the log what has come in since: facts first, then outcomes, one by one. */
  private async settle(): Promise<void> {
    await this.journal.catchUp()
    for (;;) {
      await this.journal.flush()
      // Fenced off, the ends are left for `endAll`, which waits for every one of them.
      const next = this.journal.fenced ? undefined : this.ends.shift()
      if (next === undefined) return
      await this.settleOne(next)
    }
  }

  /** An outcome counts only for the latest start of its step; a late one is dropped. */
  private async settleOne({ one, end }: { one: Performing; end: End }): Promise<void> {
    if (this.performing.get(one.step.id) === one) this.performing.delete(one.step.id)
    for (;;) {
      const running = this.journal.state.running[one.step.id]
      const current = running !== undefined && running.try === one.try && running.worker === this.world.worker.id
      if (!current || this.journal.fenced) return
      if (isOutcome(end)) this.world.crashPoint(`before:${end.type}`)
      const status = await this.journal.append([end], one.step.id, [{ change: 'give', holder: running.mark }])
      if (status === 'appended') {
        if (isOutcome(end)) this.world.crashPoint(`after:${end.type}`)
        if (one.step.verb !== 'AskQuestion') this.world.wake.ring('slots')
        return
      }
      await this.journal.catchUp()
    }
  }

  private restingStatus({ steps, wakeAt }: Due): 'ended' | 'paused' | 'waiting' | null {
    const { mode } = this.journal.state
    if (mode.status === 'ended') return 'ended'
    if (steps.length > 0 || this.request.stay) return null
    if (mode.status === 'paused') return 'paused'
    return wakeAt === null ? 'waiting' : null
  }

  private async rest(status: 'ended' | 'paused' | 'waiting'): Promise<Drive> {
    await this.journal.snapshot()
    return { status, state: this.journal.state }
  }

  /** Orderly: nothing is begun, what can be ended is ended and says so, what is irrevocable is awaited. */
  private async shutDown(): Promise<Drive> {
    for (const one of this.performing.values()) {
      if (!isIrrevocable(one.step) && !one.aborted) one.abort('interrupted')
    }
    while (this.performing.size > 0 && !this.journal.fenced) {
      await this.settle()
      if (this.performing.size > 0) await this.changed.wait(this.world.clock, null)
    }
    await this.settle()
    if (this.journal.fenced) return await this.abandon()
    await this.journal.snapshot()
    return { status: 'interrupted', state: this.journal.state }
  }

  /** Somebody else drives now: end what is ours and write nothing. */
  private async abandon(): Promise<Drive> {
    await this.endAll('another driver has taken over')
    return { status: 'fenced', state: this.journal.state }
  }

  private async endAll(reason: string): Promise<void> {
    this.journal.fenced = true
    for (const one of this.performing.values()) one.abort(reason)
    while (this.performing.size > 0) {
      await this.journal.flush()
      for (const { one } of this.ends.splice(0)) this.performing.delete(one.step.id)
      if (this.performing.size > 0) await this.changed.wait(this.world.clock, null)
    }
  }
}
