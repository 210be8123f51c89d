import { fileBlobs } from '../src/adapters/blobs-files/blobs.ts'
import { openSqliteLog } from '../src/adapters/log-sqlite/log.ts'
import type { DeliveryEvent } from '../src/delivery/events.ts'
import type { Story } from '../src/delivery/plan/plan.ts'
import { load, sealed, stateShape } from '../src/engine/load.ts'
import type { EventLog } from '../src/ports/event-log.ts'
import { policy, turnOf } from '../test/simulation/sample.ts'

/** A delivery of so many events as a long life leaves them: turns, starts, aborts. Its snapshot is 100 events old. */
export async function fillLog(home: string, events: number): Promise<string> {
  const log = await openSqliteLog(home, fileBlobs(home))
  const delivery = 'filled'
  await put(log, delivery, opening())
  let written = 3
  while (written < events) {
    const batch = Array.from({ length: Math.min(1_000, events - written) }, (_, index) => eventOf(written + index))
    await put(log, delivery, batch)
    written += batch.length
    if (written >= events - 1_100 && written < events) await snapshot(log, delivery)
  }
  await log.close()
  return delivery
}

/** One event of a long life. A story's walk has some 16 events, and one of them is money. */
export function eventOf(index: number): DeliveryEvent {
  const story = `story-${index % 40}`
  const step = `CodeStory-${(index * 7919).toString(16).padStart(16, '0')}`
  if (index % 16 === 0) return spent(index, step, story)
  if (index % 2 === 0) return { type: 'SessionOpened', step, story, agent: 'mine', session: `session-${index}` }
  return {
    type: 'WorkArchived',
    story,
    ref: `refs/ropewalk/archive/filled/${story}/${index}`,
    commit: step,
    reason: 'left by a failed turn',
  }
}

function spent(index: number, step: string, story: string): DeliveryEvent {
  const usage = { inputTokens: 5_000 + index, outputTokens: 300, cachedTokens: 0 }
  return {
    type: 'TurnSpent',
    step,
    turn: turnOf(story, { usage, usd: 0.01, durationMs: 60_000 }),
    totals: null,
  }
}

function opening(): DeliveryEvent[] {
  const requirement = { text: 'Fill the log', source: 'bench', submitter: 'bench' }
  const pinned = policy({ limits: { storiesPerPlan: 500 } })
  return [
    {
      type: 'DeliveryRequested',
      requirement,
      repository: { id: 'bench', path: '/nowhere' },
      target: 'main',
      base: '0',
      review: null,
    },
    { type: 'PolicyPinned', policy: pinned, hash: 'bench' },
    {
      type: 'PlanGiven',
      plan: { outline: null, stories: Array.from({ length: 40 }, (_, index) => story(index)) },
      revision: 1,
      cause: 'bench',
    },
  ]
}

const story = (index: number): Story => ({
  ...{ id: `story-${index}`, title: `Story ${index}`, description: '', criteria: [], dependsOn: [], complexity: 3 },
  ...{
    files: [],
    contextFiles: [],
    risks: [],
    mayChange: [],
    mayBeEmpty: false,
    strategy: null,
    noTestsBecause: '',
    tests: 'witnessed',
    proofs: [],
  },
})

async function put(log: EventLog, delivery: string, events: DeliveryEvent[]): Promise<void> {
  const [row] = (await log.deliveries(null)).filter((one) => one.delivery === delivery)
  const fresh = events.map((event) => ({ at: 1_700_000_000_000, actor: 'bench', cause: null, event }))
  await log.append({ delivery, expected: row?.version ?? 0, events: fresh, fence: null, slots: [] })
}

async function snapshot(log: EventLog, delivery: string): Promise<void> {
  const state = await load(log, delivery)
  await log.saveSnapshot(delivery, state.version, stateShape, sealed(state))
}
