import { expect, it } from 'vitest'
import { systemClock } from '../../../src/adapters/clock-system/clock.ts'
import { drive } from '../../../src/engine/drive.ts'
import { submit } from '../../../src/engine/load.ts'
import type { Perform } from '../../../src/ports/performer.ts'
import { memoryLog } from '../../log-memory/log.ts'
import { policy, request, story } from '../sample.ts'

const wake = { ring: () => undefined, listen: () => () => undefined }

/** A delivery of one story, driven by a process whose steps are carried out so. */
async function driven(perform: Perform) {
  const log = memoryLog({ isAlive: () => true })
  const clock = systemClock()
  await submit({ log, clock, wake }, { delivery: 'd', intent: request(policy(), [story('one')]), actor: 'test' })
  const stop = new AbortController()
  const world = {
    ...{ log, clock, wake, perform },
    sweep: async () => {},
    worker: { id: 'w1', host: 'here', pid: 1 },
    homeTag: 'home',
    leaseMs: 60_000,
    dayOf: () => '2026-01-01',
    onChange: () => undefined,
    crashPoint: () => undefined,
  }
  return { log, stop, done: () => drive(world, { delivery: 'd', signal: stop.signal, stay: false }) }
}

it('ends what it runs and says so when it is replaced while it is being interrupted', async () => {
  let running = false
  const { log, stop, done } = await driven(async ({ step, signal, record }) => {
    running = true
    // Replaced and interrupted at once, and slow to end.
    await log.breakLease('d')
    stop.abort()
    await new Promise((resolve) => signal.addEventListener('abort', resolve))
    await record({ type: 'ConcernRaised', story: null, text: 'not written any more' })
    await new Promise((resolve) => setTimeout(resolve, 50))
    running = false
    return {
      type: 'CodingFailed',
      step: step.id,
      story: 'one',
      kind: 'crash',
      message: '',
      evidence: '',
      session: null,
    }
  })
  expect(await done()).toMatchObject({ status: 'fenced' })
  expect(running).toBe(false)
})
