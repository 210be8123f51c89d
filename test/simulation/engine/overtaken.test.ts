import { expect, it } from 'vitest'
import { systemClock } from '../../../src/adapters/clock-system/clock.ts'
import { drive } from '../../../src/engine/drive.ts'
import { memoryLog } from '../../log-memory/log.ts'
import { happily } from '../endings.ts'
import { reviewed } from '../judgement-sample.ts'
import { Player } from '../player.ts'
import { agent, noCeilings, policy, requested, story } from '../sample.ts'

const wake = { ring: () => undefined, listen: () => () => undefined }

it('sets nothing aside for turns that died with their process and that nobody takes up again', async () => {
  const dear = (model: string) => agent({ reserveUsd: 1, models: { powerful: model } })
  const agents = { mine: agent(), one: dear('m1'), two: dear('m2') }
  const pinned = policy({ ...reviewed(), agents, ceilings: { ...noCeilings, usdPerDelivery: 2 } })
  const player = new Player(pinned, [story('a')])
  player.perform('CodeStory a')
  player.perform('Judge a check:test')
  for (const vantage of ['correctness', 'criteria']) player.start(`ReviewStory a ${vantage}`, { reserveUsd: 1 })
  // It died here, and comes back with other settings.
  player.tell({ type: 'RepinPolicy', policy: { ...pinned, mergeMethod: 'merge' }, policyHash: 'p2', by: 'me' })
  const log = memoryLog({ isAlive: () => true })
  const events = [...requested(pinned, [story('a')]), ...player.log].map((event) => ({
    ...{ at: 0, actor: 'test', cause: '', event },
  }))
  await log.append({ delivery: 'd', expected: 0, events, fence: null, slots: [] })
  const world = {
    ...{ log, clock: systemClock(), wake, sweep: async () => {}, homeTag: 'home', leaseMs: 60_000 },
    worker: { id: 'w1', host: 'here', pid: 1 },
    dayOf: () => '2026-01-01',
    onChange: () => undefined,
    crashPoint: () => undefined,
    perform: async ({ step }: { step: Parameters<typeof happily>[0] }) => happily(step),
  }
  const end = await drive(world as never, { delivery: 'd', signal: new AbortController().signal, stay: false })
  expect(end).toMatchObject({ status: 'ended', state: { mode: { result: 'done' } } })
})
