import { evolve, isOutcome } from '../../../src/delivery/evolve.ts'
import type { Story } from '../../../src/delivery/plan/plan.ts'
import type { Policy } from '../../../src/delivery/policy.ts'
import { openQuestions } from '../../../src/delivery/questions/due.ts'
import { route } from '../../../src/delivery/route.ts'
import { type DeliveryState, initialState, storiesOf } from '../../../src/delivery/state.ts'
import { drive } from '../../../src/engine/drive.ts'
import { load, submit } from '../../../src/engine/load.ts'
import type { Wake } from '../../../src/ports/event-log.ts'
import { canonical } from '../../../src/std/hash.ts'
import { invariant } from '../../../src/std/never.ts'
import { memoryLog } from '../../log-memory/log.ts'
import { intentsFor } from '../exploration/intents.ts'
import { request } from '../sample.ts'
import { Chance } from './chance.ts'
import { Ground } from './ground.ts'
import { performers } from './performers.ts'
import { VirtualClock } from './virtual-clock.ts'
import { type Shared, Worker } from './worker.ts'

export interface Simulated {
  state: DeliveryState
  deaths: number
  landings: number
  longestTrain: number
}

const leaseMs = 300
const delivery = 'd'

/** One delivery in one world, driven by processes that die, sleep and come back, until it ends. */
export async function simulate(
  seed: number,
  { policy, stories }: { policy: Policy; stories: Story[] },
): Promise<Simulated> {
  const chance = new Chance(seed)
  const clock = new VirtualClock()
  const workers: Worker[] = []
  // Half of the worlds know at once that a process is gone; the others have to wait for its lease to lapse.
  const knows = chance.oneIn(2)
  const log = memoryLog({ isAlive: ({ pid }) => !knows || workers[pid]?.dead === false })
  const ground = new Ground(policy.judges.filter((judge) => judge.startsWith('check:')))
  const deadly = chance.pick([15, 40, 400])
  const shared: Shared = { log, clock, wake: rings(), ground, chance, stories, leaseMs, deadly }
  await submit(shared, {
    delivery,
    intent: { ...request(policy, policy.roles.planner.length > 0 ? null : stories), base: ground.target } as never,
    actor: 'somebody',
  })
  const together = Promise.all([operate(shared, workers), operate(shared, workers), meddle(shared)])
  // What was said after the end may have begun it again.
  await pump(
    clock,
    together.then(() => operate(shared, workers)),
  )
  const state = await load(log, delivery)
  const longestTrain = await agrees(shared, state)
  return { state, deaths: workers.filter((worker) => worker.dead).length, landings: ground.landings, longestTrain }
}

/** Time passes while everybody waits. */
async function pump(clock: VirtualClock, operating: Promise<unknown>): Promise<void> {
  let done = false
  let failure: unknown = null
  operating.then(
    () => {
      done = true
    },
    (error: unknown) => {
      failure = error
    },
  )
  for (let turns = 0; !done; turns++) {
    await new Promise((resolve) => setImmediate(resolve))
    if (failure !== null) throw failure
    if (done) return
    invariant(turns < 50_000 && clock.advance(), 'it does not end')
  }
}

/** A person at a terminal: starts a process, starts another when it dies, answers what is asked. */
async function operate(shared: Shared, workers: Worker[]): Promise<void> {
  for (;;) {
    const worker = new Worker(shared, workers.length)
    workers.push(worker)
    if (workers.length > 60) shared.deadly = 1e9
    const never = new AbortController().signal
    const driving = drive(worker.world(performers(shared)), { delivery, signal: never, stay: false })
    const drove = await Promise.race([driving, worker.died])
    if (drove !== 'died' && drove.status === 'ended' && !(await resumed(shared))) return
    if (drove !== 'died' && drove.status === 'waiting') await answer(shared)
    if (drove !== 'died' && drove.status === 'paused') await resumed(shared)
    await shared.clock.until(shared.clock.now() + 20 + shared.chance.upTo(leaseMs), never)
  }
}

/** What was stopped is resumed; what was quarantined too, when the cause is gone: nobody dies any more. */
async function resumed(shared: Shared): Promise<boolean> {
  const { mode } = await load(shared.log, delivery)
  if (mode.status === 'active' || mode.status === 'stopping') return true
  if (mode.status === 'ended' && mode.result !== 'crashed' && mode.result !== 'stopped') return false
  if (mode.status === 'ended' && mode.result === 'crashed') shared.deadly = 1e9
  await submit(shared, { delivery, intent: { type: 'ResumeDelivery', by: 'somebody' }, actor: 'somebody' })
  return true
}

/** Somebody who says now and then whatever comes to mind, while it is being driven. */
async function meddle(shared: Shared): Promise<void> {
  const { clock, chance, log } = shared
  const often = chance.pick([0, 0, 3, 8])
  for (let times = 0; times < often; times++) {
    await clock.until(clock.now() + chance.upTo(800), new AbortController().signal)
    const intent = chance.pick(intentsFor(await load(log, delivery), true))
    await submit(shared, { delivery, intent, actor: 'somebody' })
  }
}

async function answer(shared: Shared): Promise<void> {
  const state = await load(shared.log, delivery)
  for (const { id, options } of openQuestions(state)) {
    const option = shared.chance.pick(options.filter((one) => one.id !== 'reject' && one.id !== 'stop')).id
    const intent = { type: 'AnswerQuestion' as const, question: id, option, text: 'so', by: 'somebody' }
    await submit(shared, { delivery, intent, actor: 'somebody' })
  }
}

/** The log is whole, each outcome in it counted once, and it says what the ground shows. Gives the longest train. */
async function agrees({ log, ground }: Shared, state: DeliveryState): Promise<number> {
  invariant((await log.verify(delivery)).status === 'intact', 'the chain is broken')
  const replayed = initialState(delivery)
  const judging = new Set<string>()
  let longest = 0
  for (const recorded of await log.read(delivery, 0)) {
    const { event } = recorded
    if (event.type === 'StepStarted' && event.step.verb === 'Judge') judging.add(event.step.id)
    if (event.type === 'Judged' || event.type === 'StepAborted') judging.delete(event.step)
    if (event.type === 'DeliveryCompleted') {
      const isTold = judging.size === 0 || !event.result.startsWith('done')
      invariant(isTold, 'a judgement was begun, and the log does not tell how it ended')
      judging.clear()
    }
    const counted = !isOutcome(event) || replayed.running[event.step] !== undefined
    invariant(counted, `${event.type} is on record without a start, or twice`)
    evolve(replayed, recorded)
    const settled = storiesOf(replayed).map(({ control }) => control)
    route(replayed)
    const isSettled = storiesOf(replayed).every(({ control }, place) => control === settled[place])
    invariant(isSettled, `after ${event.type} a rule had something to do, and was not asked`)
    longest = Math.max(longest, replayed.line.train.length)
  }
  invariant(canonical(replayed) === canonical(state), 'the log reads otherwise the second time')
  invariant(!ground.isTorn, 'it has ended, and the checkout is half written')
  const merged = storiesOf(state).filter(({ control }) => control.status === 'merged')
  const landed = ground.at(ground.target).stories
  invariant(merged.length === landed.length, `${merged.length} are said to be merged, ${landed.length} are`)
  for (const { spec } of merged) invariant(landed.includes(spec.id), `${spec.id} is said to be merged`)
  return longest
}

function rings(): Wake {
  const heard = new Map<string, Set<() => void>>()
  return {
    ring: (name) => {
      for (const call of heard.get(name) ?? []) call()
    },
    listen: (name, call) => {
      heard.set(name, (heard.get(name) ?? new Set()).add(call))
      return () => heard.get(name)?.delete(call)
    },
  }
}
