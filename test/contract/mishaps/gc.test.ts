import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import type { DeliveryEvent } from '../../../src/delivery/events.ts'
import { gc } from '../../../src/desk/gc/gc.ts'
import type { Visit } from '../../../src/desk/world.ts'
import type { EventLog } from '../../../src/ports/event-log.ts'
import { identifierProblem } from '../../../src/std/identifier.ts'
import { memoryLog } from '../../log-memory/log.ts'

const home = mkdtempSync(join(tmpdir(), 'ropewalk-gc-'))
afterAll(() => rmSync(home, { recursive: true, force: true }))

/** A delivery that has ended, with one workspace. */
async function ended(log: EventLog, delivery: string, workspace: string): Promise<void> {
  const requirement = { text: 'x', source: 'test', submitter: 'Ada' }
  const events: DeliveryEvent[] = [
    {
      type: 'DeliveryRequested',
      requirement,
      repository: { id: 'r', path: '/r' },
      target: 'main',
      base: 'b',
      review: null,
    },
    { type: 'DeliveryCompleted', step: 's', result: 'stopped', reason: '', concerns: [] },
  ]
  const fresh = events.map((event) => ({ at: 1, actor: 'test', cause: null, event }))
  await log.append({ delivery, expected: 0, events: fresh, fence: null, slots: [] })
  mkdirSync(join(home, 'workspaces', delivery, workspace), { recursive: true })
}

const freeing = {
  ...{ free: true, all: false, transcripts: false, sessions: false, archives: false, olderThanMs: null },
}

const asDriver = (delivery: string) => ({ delivery, worker: 'w', host: 'elsewhere', pid: 1, at: 0, ttlMs: 1e15 })

it('holds a delivery while it frees it, leaves one that is driven by now, and names every archive properly', async () => {
  const log = memoryLog({ isAlive: () => true })
  const long = `${'x'.repeat(64)}-1`
  await ended(log, 'd1', long)
  await ended(log, 'd2', 'one-1')
  const seen: { delivery: string; driven: boolean; name: string }[] = []
  const closeWorkspace = async ({ archiveAs }: { archiveAs: string }) => {
    const [delivery = '', , name = ''] = archiveAs.split('/')
    seen.push({ delivery, driven: (await log.takeLease(asDriver(delivery))) === null, name })
    // Somebody goes on with the other one while we are busy here.
    await log.takeLease(asDriver('d2'))
    return null
  }
  const world = {
    home,
    log: async () => log,
    housed: () => ['d1', 'd2'],
    folders: (delivery: string) => ({ workspaces: join(home, 'workspaces', delivery) }),
    repositories: async () => ({ open: async () => ({ closeWorkspace, refs: async () => [] }) }),
    pool: async () => ({ entries: async () => [] }),
    abandoned: async () => [],
    bringDownAbandoned: async () => {},
  }
  const { waste } = await gc({ world } as unknown as Visit, freeing)
  expect(seen).toMatchObject([{ delivery: 'd1', driven: true }])
  expect(identifierProblem(seen[0]!.name)).toBeNull()
  expect(waste.map((one) => one.delivery)).toEqual(['d1'])
  expect(await log.takeLease(asDriver('d1'))).not.toBeNull()
})

it('frees the rest when one cannot go, and says what stays and why', async () => {
  const log = memoryLog({ isAlive: () => true })
  for (const delivery of ['d3', 'd4', 'd5']) await ended(log, delivery, 'one-1')
  const closeWorkspace = async ({ path }: { path: string }) => {
    if (path.includes('d3')) throw new Error('it is of another user')
    return null
  }
  let opened = 0
  const open = async () => {
    if (++opened === 3) throw new Error('no such repository')
    return { closeWorkspace, refs: async () => [] }
  }
  const world = {
    home,
    log: async () => log,
    housed: () => ['d3', 'd4', 'd5'],
    folders: (delivery: string) => ({ workspaces: join(home, 'workspaces', delivery) }),
    repositories: async () => ({ open }),
    pool: async () => ({ entries: async () => [] }),
    abandoned: async () => [],
    bringDownAbandoned: async () => {},
  }
  const { waste, kept } = await gc({ world } as unknown as Visit, freeing)
  expect(waste).toMatchObject([{ delivery: 'd5' }])
  expect(kept).toMatchObject([
    { delivery: 'd3', kept: 'it is of another user' },
    { delivery: 'd4', kept: 'its repository is gone' },
  ])
})
