import { decide } from '../../src/delivery/decide.ts'
import { dueSteps } from '../../src/delivery/due.ts'
import type { DeliveryEvent, Envelope } from '../../src/delivery/events.ts'
import { evolve } from '../../src/delivery/evolve.ts'
import { fuel } from '../../src/delivery/fuel.ts'
import type { Intent } from '../../src/delivery/intents.ts'
import type { Story } from '../../src/delivery/plan/plan.ts'
import type { Policy } from '../../src/delivery/policy.ts'
import { openQuestions } from '../../src/delivery/questions/due.ts'
import type { DeliveryState, Started } from '../../src/delivery/state.ts'
import { initialState, policyOf } from '../../src/delivery/state.ts'
import type { Step } from '../../src/delivery/step.ts'
import { isIrrevocable } from '../../src/delivery/step.ts'
import type { Ending } from './endings.ts'
import { happily } from './endings.ts'
import { intentsFor } from './exploration/intents.ts'
import type { Range } from './exploration/outcomes.ts'
import { outcomesOf } from './exploration/outcomes.ts'
import { areBeside, burns, counts, holdsNow, mayStart } from './invariants.ts'
import { moment, requested } from './sample.ts'
import { nothingWitnessed, witness } from './witness.ts'

type Move = () => void

const anything: Range = {
  failures: ['crash', 'empty', 'timeout', 'stuck', 'bad-spec', 'intent-gap'],
  troubles: true,
  asks: true,
  refusals: ['rate-limit', 'overloaded', 'quota', 'auth', 'model', 'session'],
  moves: true,
  departs: true,
}

/** Walks through one delivery by chance, as several people, a rough world and a dying process would have it. */
export class Walker {
  readonly log: Envelope[] = []
  readonly state: DeliveryState = initialState('d')
  private at = 0
  private seen = nothingWitnessed()
  private readonly range: Range

  /** `drafted`: what the planner comes up with, where nobody brings a plan. */
  constructor(policy: Policy, stories: Story[] | null, drafted?: Story[]) {
    this.range = drafted === undefined ? anything : { ...anything, plan: drafted }
    for (const event of requested(policy, stories)) this.record(event)
  }

  /** The plan is drafted, and audited where somebody does. */
  plan(): void {
    const isOfPlan = ({ verb }: Step) => ['HarvestContext', 'DraftPlan', 'AuditPlan'].includes(verb)
    const next = () => dueSteps(this.state, moment(this.at)).steps.find(isOfPlan)
    for (let step = next(); step !== undefined; step = next()) {
      this.start(step)
      this.endings(step)[0]!()
    }
  }

  /** All that may be coded is, so that more than one story is ready at a time. */
  code(ending: Ending = happily): void {
    const isCoding = ({ verb }: Step) => verb === 'CodeStory'
    const next = () => dueSteps(this.state, moment(this.at)).steps.find(isCoding)
    for (let step = next(); step !== undefined; step = next()) this.performWell(step, ending)
  }

  /** One move; the number says which. */
  step(choice: number): void {
    const moves = this.moves(choice % 5 === 0)
    this.at += choice % 3
    if (moves.length > 0) moves[Math.floor(choice / 5) % moves.length]!()
    this.look()
  }

  /** From here on all goes well, and people answer what they are asked. */
  finish(coding: Ending = happily): void {
    for (let count = 0; this.state.mode.status !== 'ended'; count++) {
      if (count > 3000) throw new Error('it does not end')
      this.goOn(coding)
      this.look()
    }
  }

  private look(): void {
    holdsNow(this.state, dueSteps(this.state, moment(this.at)))
  }

  private goOn(coding: Ending): void {
    const { steps, wakeAt } = dueSteps(this.state, moment(this.at))
    const overtaken = this.living().find(({ step }) => !steps.some(({ id }) => id === step.id))
    const question = openQuestions(this.state)[0]
    if (this.state.mode.status === 'paused') this.tell({ type: 'ResumeDelivery', by: 'somebody' })
    else if (overtaken !== undefined) this.abort(overtaken.step)
    else if (steps[0] !== undefined) this.performWell(steps[0], steps[0].verb === 'CodeStory' ? coding : happily)
    else if (question !== undefined) this.answer(question)
    else if (wakeAt !== null) this.at = wakeAt
  }

  private performWell(step: Step, ending: Ending = happily): void {
    if (this.state.running[step.id] === undefined) this.start(step)
    this.end(step, ending(step))
  }

  private answer({ id, options }: { id: string; options: { id: string }[] }): void {
    const good = ['approve', 'skip', 'leave', 'deny', 'stop'].find((one) => options.some((option) => option.id === one))
    const option = good ?? options[0]!.id
    this.tell({ type: 'AnswerQuestion', question: id, option, text: 'so', by: 'somebody' })
  }

  /** Good outcomes come first in each list, and are offered three times. */
  private moves(meddling: boolean): Move[] {
    const { steps, wakeAt } = dueSteps(this.state, moment(this.at))
    const running = Object.values(this.state.running)
    const starts = steps.filter((step) => this.mayBegin(step))
    const told = intentsFor(this.state, meddling).map((intent) => () => this.tell(intent))
    return [
      ...starts.map((step) => () => this.start(step)),
      ...running.flatMap(({ step }) => this.endings(step)),
      ...running.flatMap(({ step }) => (isIrrevocable(step) ? [] : [() => this.abort(step)])),
      ...running.slice(0, 1).map(
        ({ step }) =>
          () =>
            this.start(step),
      ),
      ...(wakeAt === null ? [] : [() => this.sleep(wakeAt)]),
      ...told,
    ]
  }

  private mayBegin(step: Step): boolean {
    if (this.state.running[step.id] !== undefined) return false
    if (step.verb === 'CompleteDelivery') return this.living().length === 0
    const others = Object.values(this.state.running).filter((one) => one.step.story === step.story)
    return step.story === null || others.every((one) => areBeside(step, one.step))
  }

  /** Steps that are running and not given up. */
  private living(): Started[] {
    const { lostStartsPerStep } = policyOf(this.state).limits
    return Object.values(this.state.running).filter(({ lost }) => lost < lostStartsPerStep)
  }

  private endings(step: Step): Move[] {
    const version = this.state.version
    let names = 0
    const fresh = (kind: 'c' | 't') => `${kind}${version * 10 + ++names}`
    const [good, ...bad] = outcomesOf(this.state, step, { fresh, at: this.at, range: this.range })
    return [good!, good!, good!, ...bad].map((event) => () => this.end(step, event))
  }

  private start(step: Step): void {
    mayStart(this.state, step, this.seen)
    const tried = this.state.running[step.id]?.try ?? 0
    this.record({ type: 'StepStarted', step, try: tried + 1, worker: 'w', mark: 'm', reserveUsd: 0 })
  }

  private end(step: Step, event: DeliveryEvent): void {
    const left = fuel(this.state)
    const fits = counts(this.state, step)
    this.record(event)
    if (fits) burns(left, this.state, event)
    this.again(event)
  }

  /** A second outcome of the same step is late, and changes nothing. */
  private again(event: DeliveryEvent): void {
    const before = JSON.stringify({ ...this.state, version: 0 })
    this.record(event)
    if (before !== JSON.stringify({ ...this.state, version: 0 })) throw new Error(`${event.type} counted twice`)
  }

  private abort = ({ id, story }: Step): void =>
    this.record({ type: 'StepAborted', step: id, story, reason: 'no longer due' })

  private sleep(until: number): void {
    this.at = Math.max(this.at, until)
  }

  private tell(intent: Intent): void {
    const decision = decide(intent, this.state)
    if ('events' in decision) for (const event of decision.events) this.record(event)
  }

  private record(event: DeliveryEvent): void {
    this.seen = witness(this.seen, this.state, event)
    const envelope = { delivery: 'd', version: this.state.version + 1, at: this.at, event }
    this.log.push(structuredClone(envelope))
    evolve(this.state, envelope)
  }
}
