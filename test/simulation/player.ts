import { unreviewed } from '../../src/delivery/completion.ts'
import type { Decision } from '../../src/delivery/decide.ts'
import { decide } from '../../src/delivery/decide.ts'
import { dueSteps } from '../../src/delivery/due.ts'
import type { DeliveryEvent } from '../../src/delivery/events.ts'
import type { Intent } from '../../src/delivery/intents.ts'
import type { Story } from '../../src/delivery/plan/plan.ts'
import type { Policy } from '../../src/delivery/policy.ts'
import { openQuestions } from '../../src/delivery/questions/due.ts'
import type { DeliveryState } from '../../src/delivery/state.ts'
import { storyOf } from '../../src/delivery/state.ts'
import type { Step, Verb } from '../../src/delivery/step.ts'
import type { StoryControl, StoryState } from '../../src/delivery/story/story.ts'
import type { Ending } from './endings.ts'
import { happily } from './endings.ts'
import { apply, fold, moment, requested } from './sample.ts'

/** Plays one delivery by hand: what is due is started and ended as the test says. */
export class Player {
  readonly state: DeliveryState
  at = 0
  readonly log: DeliveryEvent[] = []
  /** How many steps of a verb were performed, with their story. */
  readonly performed: Step[] = []

  constructor(policy: Policy, stories: Story[] | null, begun: DeliveryEvent[] = requested(policy, stories)) {
    this.state = fold(begun)
    this.knowBase()
    // Where nobody reads the requirement, what comes before the plan is the same in every test.
    if (stories === null && this.state.order.length === 0 && policy.roles.interpreter.length === 0)
      this.perform('HarvestContext')
  }

  /** What the base shows is known before most tests begin. */
  protected knowBase(): void {
    if (this.due().includes('TryBase')) this.perform('TryBase')
    this.performed.length = 0
  }

  due(): string[] {
    return dueSteps(this.state, moment(this.at)).steps.map(nameOf)
  }

  wakeAt(): number | null {
    return dueSteps(this.state, moment(this.at)).wakeAt
  }

  /** The due step of this name, such as `CodeStory a` or `Land`. */
  find(name: string): Step {
    const step = dueSteps(this.state, moment(this.at)).steps.find((one) => nameOf(one) === name)
    if (step === undefined) throw new Error(`${name} is not due, but: ${this.due().join(', ') || 'nothing'}`)
    return step
  }

  start(name: string, { reserveUsd = 0, worker = 'w' } = {}): Step {
    const step = this.find(name)
    const tried = this.state.running[step.id]?.try ?? 0
    this.record({ type: 'StepStarted', step, try: tried + 1, worker, mark: 'm', reserveUsd })
    return step
  }

  end(step: Step, ending: Ending = happily): void {
    this.performed.push(step)
    this.record(ending(step))
  }

  /** Starts and ends each named step in turn. */
  perform(name: string, ending: Ending = happily): Step {
    const step = this.start(name)
    this.end(step, ending)
    return step
  }

  /** Everything that is due until nothing is, each ended as given, or well. */
  run(endings: Partial<Record<Verb, Ending>> = {}, atMost = 2000): this {
    for (let count = 0; count < atMost; count++) if (!this.performFirst(endings)) return this
    throw new Error(`it goes on and on: ${this.due().join(', ')}`)
  }

  /** False when nothing is due. */
  performFirst(endings: Partial<Record<Verb, Ending>>): boolean {
    const step = dueSteps(this.state, moment(this.at)).steps[0]
    if (step !== undefined) this.perform(nameOf(step), endings[step.verb] ?? happily)
    return step !== undefined
  }

  tell(intent: Intent): Decision {
    const decision = decide(intent, this.state)
    if ('events' in decision) for (const event of decision.events) this.record(event)
    return decision
  }

  answer(option: string, text = ''): Decision {
    const question = openQuestions(this.state)[0]?.id ?? ''
    return this.tell({ type: 'AnswerQuestion', question, option, text, by: 'somebody' })
  }

  record(event: DeliveryEvent): void {
    this.log.push(event)
    apply(this.state, event, this.at)
  }

  story(id: string): StoryState {
    return storyOf(this.state, id)
  }

  status(id: string): StoryControl['status'] {
    return this.story(id).control.status
  }

  /** Where nobody reviews, every end has that concern: tests of its own are about it, and others leave it out. */
  result(): string {
    const { mode } = this.state
    if (mode.status !== 'ended') return mode.status
    const isAll = mode.reason === '' && mode.concerns.every((concern) => concern === unreviewed)
    return isAll && mode.result === 'done-with-concerns' ? 'done' : mode.result
  }

  times(name: string): number {
    return this.performed.filter((step) => nameOf(step) === name).length
  }
}

/** `CodeStory a`, `Judge a line check:test`, `ReadRequirement second`, `ReviewStory a security`, `Land`. */
function nameOf(step: Step): string {
  if (step.verb === 'ReviewStory') return `${step.verb} ${step.story} ${step.vantage}`
  const scope = step.verb === 'Judge' && step.scope !== 'story' ? [step.scope] : []
  const seat = 'seat' in step && typeof step.seat === 'string' ? [step.seat] : []
  return [step.verb, step.story ?? [], scope, step.verb === 'Judge' ? step.judge : [], seat].flat().join(' ')
}
