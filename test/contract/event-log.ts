import { hostname } from 'node:os'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { DeliveryEvent } from '../../src/delivery/events.ts'
import { TerminalError } from '../../src/ports/errors.ts'
import type { Append, EventLog, EventQuery, Lease } from '../../src/ports/event-log.ts'
import { genesis } from '../../src/ports/log/chain.ts'

/** A log to test, and how to make it believe that the process behind a lease has ended. */
export interface Subject {
  open(): Promise<EventLog>
  /** A process id whose process has ended. */
  endedPid(): Promise<number>
  close(): Promise<void>
}

export const day = Date.UTC(2026, 4, 10, 12)

export function requested(text: string, repository = 'repo-1'): DeliveryEvent {
  return {
    type: 'DeliveryRequested',
    requirement: { text, source: 'cli', submitter: 'ada' },
    repository: { id: repository, path: '/tmp/somewhere' },
    target: 'main',
    base: 'b'.repeat(40),
  }
}

export function concern(text: string, story: string | null = null): DeliveryEvent {
  return { type: 'ConcernRaised', story, text }
}

export function batch(delivery: string, expected: number, events: DeliveryEvent[]): Append {
  const fresh = events.map((event, index) => ({ at: day + expected + index, actor: 'ada', cause: null, event }))
  return { delivery, expected, events: fresh, fence: null, slots: [] }
}

const everything: EventQuery = { delivery: null, types: [], story: null, after: 0, limit: 1000, from: 'first' }

export function eventLogContract(name: string, make: () => Promise<Subject>): void {
  describe(`event log: ${name}`, () => {
    let subject: Subject
    let log: EventLog
    beforeEach(async () => {
      subject = await make()
      log = await subject.open()
    })
    afterEach(async () => {
      await log.close()
      await subject.close()
    })

    const lease = (delivery: string, worker: string, at = day, pid = process.pid): Promise<Lease | null> =>
      log.takeLease({ delivery, worker, host: hostname(), pid, at, ttlMs: 1000 })
    const texts = async (query: Partial<EventQuery>): Promise<string[]> =>
      (await log.query({ ...everything, ...query })).map(({ event }) => ('text' in event ? event.text : event.type))

    describe('append and read', () => {
      it('gives back what was appended, chained, with one global order', async () => {
        const first = await log.append(batch('d1', 0, [requested('Parse dates'), concern('a')]))
        await log.append(batch('d2', 0, [requested('Other')]))
        await log.append(batch('d1', 2, [concern('b')]))
        const events = await log.read('d1', 0)
        expect(events.map(({ version, position }) => [version, position])).toEqual([
          [1, 1],
          [2, 2],
          [3, 4],
        ])
        expect(events.map(({ previous }) => previous)).toEqual([genesis, events[0]!.hash, events[1]!.hash])
        expect(first).toEqual({ status: 'appended', recorded: events.slice(0, 2) })
        expect(events[0]).toMatchObject({ delivery: 'd1', at: day, schema: 1, actor: 'ada', cause: null })
        expect(events[0]!.event).toEqual(requested('Parse dates'))
        expect(await log.read('d1', 2)).toEqual(events.slice(2))
        expect(await log.read('d1', 3)).toEqual([])
        expect(await log.read('nobody', 0)).toEqual([])
      })

      it('keeps events apart from the objects they came from', async () => {
        const event = requested('Parse dates')
        await log.append(batch('d1', 0, [event]))
        if (event.type === 'DeliveryRequested') event.target = 'elsewhere'
        const [entry] = await log.read('d1', 0)
        expect(entry!.event).toMatchObject({ target: 'main' })
      })

      it('refuses an append at another version, and changes nothing', async () => {
        await log.append(batch('d1', 0, [requested('x')]))
        expect(await log.append(batch('d1', 0, [requested('y')]))).toEqual({ status: 'conflict', version: 1 })
        expect(await log.append(batch('d1', 5, [concern('y')]))).toEqual({ status: 'conflict', version: 1 })
        expect(await log.append(batch('d2', 1, [concern('y')]))).toEqual({ status: 'conflict', version: 0 })
        expect(await log.query(everything)).toHaveLength(1)
      })

      it('lists deliveries with their title, times and result', async () => {
        const long = 'y'.repeat(100)
        await log.append(batch('d1', 0, [requested('\n Parse dates \nand more', 'repo-1')]))
        await log.append({
          ...batch('d2', 0, [requested(long, 'repo-2')]),
          events: [later(requested(long, 'repo-2'), 50)],
        })
        const done: DeliveryEvent = { type: 'DeliveryCompleted', step: 's', result: 'done', reason: '', concerns: [] }
        await log.append(batch('d1', 1, [done]))
        const times = { requestedAt: day, updatedAt: day + 1 }
        const row = { delivery: 'd1', repository: 'repo-1', version: 2, ...times, result: 'done', title: 'Parse dates' }
        const rows = await log.deliveries(null)
        expect(rows[0]).toEqual(row)
        expect(rows[1]).toMatchObject({ delivery: 'd2', result: null, title: `${'y'.repeat(79)}…` })
        expect(await log.deliveries('repo-1')).toEqual([row])
        await log.append(batch('d1', 2, [{ type: 'DeliveryReopened', cause: 'retry' }]))
        expect((await log.deliveries('repo-1'))[0]).toMatchObject({ result: null, version: 3 })
      })
    })

    describe('query', () => {
      beforeEach(async () => {
        await log.append(batch('d1', 0, [requested('one'), concern('a', 's1'), concern('b', 's2')]))
        await log.append(batch('d2', 0, [requested('two'), concern('c', 's1')]))
        await log.append(batch('d1', 3, [{ type: 'StorySkipped', story: 's1', reason: 'r', by: 'ada' }, concern('d')]))
      })

      it('by delivery, type and story, alone and together', async () => {
        expect(await texts({ types: ['ConcernRaised'] })).toEqual(['a', 'b', 'c', 'd'])
        expect(await texts({ types: ['StorySkipped', 'DeliveryRequested'] })).toEqual([
          'DeliveryRequested',
          'DeliveryRequested',
          'StorySkipped',
        ])
        expect(await texts({ delivery: 'd2' })).toEqual(['DeliveryRequested', 'c'])
        expect(await texts({ delivery: 'd1', types: ['ConcernRaised'] })).toEqual(['a', 'b', 'd'])
        expect(await texts({ story: 's1' })).toEqual(['a', 'c', 'StorySkipped'])
        expect(await texts({ story: 's1', delivery: 'd1', types: ['ConcernRaised'] })).toEqual(['a'])
      })

      it('after a position, the first or the last of them, always ascending', async () => {
        expect(await texts({ after: 4, limit: 2 })).toEqual(['c', 'StorySkipped'])
        expect(await texts({ limit: 2, from: 'last' })).toEqual(['StorySkipped', 'd'])
        expect(await texts({ types: ['ConcernRaised', 'StorySkipped'], limit: 3, from: 'last' })).toEqual([
          'c',
          'StorySkipped',
          'd',
        ])
        expect(await texts({ delivery: 'd1', after: 3 })).toEqual(['StorySkipped', 'd'])
        expect(await texts({ delivery: 'd1', after: 2, limit: 1, from: 'last' })).toEqual(['d'])
        expect(await texts({ after: 7 })).toEqual([])
        expect(await texts({ limit: 0, from: 'last' })).toEqual([])
      })

      it('finds a story inside a started step and a turn', async () => {
        await log.append(batch('d3', 0, [spent(1, 's9')]))
        expect(await texts({ story: 's9' })).toEqual(['TurnSpent'])
      })
    })

    describe('lease', () => {
      it('has one holder, until it is released, lapsed or broken; the fence only rises', async () => {
        const first = await lease('d1', 'w1')
        expect(first).toMatchObject({ delivery: 'd1', worker: 'w1', fence: 1, expiresAt: day + 1000 })
        expect(await lease('d1', 'w2', day + 999)).toBeNull()
        expect(await log.leaseOf('d1')).toEqual(first)
        expect(await lease('d1', 'w2', day + 1000)).toMatchObject({ worker: 'w2', fence: 2 })
        expect(await log.renewLease(first!, day + 1000, 1000)).toBeNull()
        await log.releaseLease(first!)
        const second = await log.leaseOf('d1')
        expect(second).toMatchObject({ worker: 'w2' })
        await log.releaseLease(second!)
        expect(await log.leaseOf('d1')).toBeNull()
        expect(await lease('d1', 'w3', day + 1001)).toMatchObject({ fence: 3 })
        await log.breakLease('d1')
        expect(await log.leaseOf('d1')).toBeNull()
        expect(await lease('d1', 'w4', day + 1002)).toMatchObject({ fence: 4 })
        expect(await lease('d2', 'w4')).toMatchObject({ fence: 1 })
      })

      it('is renewed by its holder, also after it has lapsed while nobody took it', async () => {
        const held = await lease('d1', 'w1')
        const renewed = await log.renewLease(held!, day + 5000, 1000)
        expect(renewed).toEqual({ ...held, expiresAt: day + 6000 })
        expect(await lease('d1', 'w2', day + 5999)).toBeNull()
      })

      it('is taken over at once when the process of its holder has ended', async () => {
        const held = await lease('d1', 'w1', day, await subject.endedPid())
        expect(held).toMatchObject({ fence: 1 })
        expect(await log.leaseOf('d1')).toBeNull()
        expect(await lease('d1', 'w2', day + 1)).toMatchObject({ worker: 'w2', fence: 2 })
      })

      it('fences off whoever does not hold it, and changes nothing then', async () => {
        await log.append(batch('d1', 0, [requested('x')]))
        const append = (fence: number) => log.append({ ...batch('d1', 1, [concern('a')]), fence })
        expect(await append(1)).toEqual({ status: 'fenced' })
        const held = await lease('d1', 'w1')
        expect(await append(2)).toEqual({ status: 'fenced' })
        await lease('d1', 'w2', day + 2000)
        expect(await append(held!.fence)).toEqual({ status: 'fenced' })
        await log.breakLease('d1')
        expect(await append(2)).toEqual({ status: 'fenced' })
        expect(await log.read('d1', 0)).toHaveLength(1)
        const last = await lease('d1', 'w3', day + 2001)
        expect(await append(last!.fence)).toMatchObject({ status: 'appended' })
      })

      it('lets intents in without a lease', async () => {
        await log.append(batch('d1', 0, [requested('x')]))
        await lease('d1', 'w1')
        expect(await log.append(batch('d1', 1, [concern('a')]))).toMatchObject({ status: 'appended' })
      })
    })

    describe('slots', () => {
      const take = async (delivery: string, holder: string, { limit = 2, kind = 'agents', at = day } = {}) => {
        const fence = (await log.leaseOf(delivery))?.fence ?? null
        const version = (await log.read(delivery, 0)).length
        const events = [{ at, actor: 'engine', cause: null, event: concern(holder) }]
        const slots: Append['slots'] = [{ change: 'take', kind, holder, limit }]
        return (await log.append({ delivery, expected: version, events, fence, slots })).status
      }
      const give = async (delivery: string, holder: string) => {
        const fence = (await log.leaseOf(delivery))!.fence
        const version = (await log.read(delivery, 0)).length
        return log.append({ delivery, expected: version, events: [], fence, slots: [{ change: 'give', holder }] })
      }
      beforeEach(async () => {
        for (const delivery of ['d1', 'd2', 'd3']) await lease(delivery, delivery)
      })

      it('are counted over all deliveries, by kind, and an append that finds none changes nothing', async () => {
        expect(await take('d1', 'a')).toBe('appended')
        expect(await take('d2', 'a')).toBe('appended')
        expect(await take('d3', 'a')).toBe('full')
        expect(await log.read('d3', 0)).toEqual([])
        expect(await take('d3', 'a', { kind: 'checks' })).toBe('appended')
        expect(await take('d3', 'b', { limit: 3 })).toBe('appended')
      })

      it('are not counted twice for one holder', async () => {
        expect(await take('d1', 'a', { limit: 1 })).toBe('appended')
        expect(await take('d1', 'a', { limit: 1 })).toBe('appended')
        expect(await take('d1', 'b', { limit: 1 })).toBe('full')
      })

      it('come back when they are given', async () => {
        await take('d1', 'a', { limit: 1 })
        expect(await give('d1', 'a')).toEqual({ status: 'appended', recorded: [] })
        expect(await take('d2', 'a', { limit: 1 })).toBe('appended')
      })

      it('are all or nothing within one append', async () => {
        const slots: Append['slots'] = [
          { change: 'take', kind: 'agents', holder: 'a', limit: 1 },
          { change: 'take', kind: 'agents', holder: 'b', limit: 1 },
        ]
        const refused = await log.append({ ...batch('d1', 0, [requested('x')]), fence: 1, slots })
        expect(refused).toEqual({ status: 'full', kind: 'agents' })
        expect(await take('d2', 'a', { limit: 1 })).toBe('appended')
      })

      it('come back when the lease is released, broken, lapsed or taken over', async () => {
        const limit = 1
        await take('d1', 'a', { limit })
        await log.releaseLease((await log.leaseOf('d1'))!)
        expect(await take('d2', 'a', { limit })).toBe('appended')
        await log.breakLease('d2')
        expect(await take('d3', 'a', { limit })).toBe('appended')
        await lease('d1', 'later', day + 1000)
        expect(await take('d1', 'b', { limit, at: day + 1000 })).toBe('appended')
        await lease('d1', 'latest', day + 2000)
        await lease('d2', 'latest', day + 2000)
        expect(await take('d2', 'b', { limit, at: day + 2000 })).toBe('appended')
      })

      it('are not held by a process that has ended', async () => {
        await lease('d4', 'd4', day, await subject.endedPid())
        const slots: Append['slots'] = [{ change: 'take', kind: 'agents', holder: 'a', limit: 1 }]
        await log.append({ ...batch('d4', 0, [requested('x')]), fence: 1, slots })
        expect(await take('d1', 'a', { limit: 1 })).toBe('appended')
      })
    })

    describe('facts across deliveries', () => {
      const key = { repository: 'repo-1', tree: 't1', command: 'npm test', environmentKey: 'e' }

      it('finds a proof by repository, tree, command and environment', async () => {
        await log.append(batch('d1', 0, [requested('x'), judged({ tree: 't1', reused: false })]))
        const counts = { total: 3, passed: 3, failed: 0, skipped: 0 }
        const proof = { delivery: 'd1', version: 2, durationMs: 12, outputDigest: 'o', counts }
        expect(await log.findProof(key)).toEqual(proof)
        for (const other of [{ repository: 'repo-2' }, { tree: 't2' }, { command: 'x' }, { environmentKey: 'f' }])
          expect(await log.findProof({ ...key, ...other })).toBeNull()
      })

      it('takes no proof from a reused one, from findings, or from a refused append', async () => {
        await log.append(batch('d1', 0, [requested('x'), judged({ tree: 't1', reused: true }), red('t1')]))
        await log.append(batch('d1', 0, [judged({ tree: 't1', reused: false })]))
        expect(await log.findProof(key)).toBeNull()
      })

      it('adds up what was spent on a day in UTC, over all deliveries', async () => {
        const midnight = Date.UTC(2026, 4, 11)
        const at = (instant: number, usd: number) => ({ at: instant, actor: 'e', cause: null, event: spent(usd, null) })
        await log.append({ ...batch('d1', 0, []), events: [at(midnight - 1, 1.5), at(midnight, 4)] })
        await log.append({ ...batch('d2', 0, []), events: [at(midnight - 2, 0.25)] })
        expect(await log.spentOn('2026-05-10')).toBe(1.75)
        expect(await log.spentOn('2026-05-11')).toBe(4)
        expect(await log.spentOn('2026-05-12')).toBe(0)
      })
    })

    it('keeps the newest snapshot of each shape', async () => {
      expect(await log.loadSnapshot('d1', 'a')).toBeNull()
      await log.saveSnapshot('d1', 5, 'a', 'five')
      await log.saveSnapshot('d1', 3, 'a', 'three')
      await log.saveSnapshot('d1', 9, 'b', 'nine')
      expect(await log.loadSnapshot('d1', 'a')).toEqual({ version: 5, state: 'five' })
      await log.saveSnapshot('d1', 6, 'a', 'six')
      expect(await log.loadSnapshot('d1', 'a')).toEqual({ version: 6, state: 'six' })
      expect(await log.loadSnapshot('d2', 'a')).toBeNull()
    })

    it('keeps a cursor for each listener', async () => {
      expect(await log.cursor('l1')).toBe(0)
      await log.moveCursor('l1', 7)
      await log.moveCursor('l2', 3)
      await log.moveCursor('l1', 8)
      expect([await log.cursor('l1'), await log.cursor('l2')]).toEqual([8, 3])
    })

    describe('the chain', () => {
      it('is verified to its head', async () => {
        await log.append(batch('d1', 0, [requested('x'), concern('a')]))
        const [, last] = await log.read('d1', 0)
        expect(await log.verify('d1')).toEqual({ status: 'intact', events: 2, head: last!.hash })
        expect(await log.verify('nobody')).toEqual({ status: 'intact', events: 0, head: genesis })
      })

      it('goes with an exported delivery into another log, with its facts, and on from there', async () => {
        await log.append(batch('d0', 0, [requested('w')]))
        await log.append(batch('d1', 0, [requested('x'), judged({ tree: 't1', reused: false }), spent(2, 's1')]))
        const exported = JSON.parse(JSON.stringify(await log.read('d1', 0)))
        const other = await make()
        const there = await other.open()
        await there.adopt(exported)
        const adopted = await there.read('d1', 0)
        expect(adopted.map(({ hash }) => hash)).toEqual(exported.map(({ hash }: { hash: string }) => hash))
        expect(adopted.map(({ position }) => position)).toEqual([1, 2, 3])
        expect(await there.spentOn('2026-05-10')).toBe(2)
        expect(await there.deliveries('repo-1')).toMatchObject([{ delivery: 'd1', version: 3, title: 'x' }])
        expect(await there.append(batch('d1', 3, [concern('more')]))).toMatchObject({ status: 'appended' })
        expect(await there.verify('d1')).toMatchObject({ status: 'intact', events: 4 })
        await expect(there.adopt(exported)).rejects.toThrow(/here already/)
        await there.close()
        await other.close()
      })

      it('refuses to adopt what was changed, cut out, mixed up or written by a newer ropewalk', async () => {
        await log.append(batch('d1', 0, [requested('x'), concern('a'), concern('b')]))
        const events = await log.read('d1', 0)
        const other = await make()
        const there = await other.open()
        const [one, two, three] = [events[0]!, events[1]!, events[2]!]
        const changes = [
          [one, { ...two, event: concern('changed') }, three],
          [one, { ...two, actor: 'mallory' }, three],
          [one, three],
          [two, three],
          [two, one],
          [one, { ...two, delivery: 'd2' }, three],
        ]
        for (const changed of changes) await expect(there.adopt(changed)).rejects.toBeInstanceOf(TerminalError)
        await expect(there.adopt([{ ...one, schema: 2 }])).rejects.toThrow(/newer ropewalk.*schema 2/)
        expect(await there.deliveries(null)).toEqual([])
        await there.close()
        await other.close()
      })
    })
  })
}

const later = (event: DeliveryEvent, afterMs: number) => ({ at: day + afterMs, actor: 'ada', cause: null, event })

function spent(usd: number, story: string | null): DeliveryEvent {
  const usage = { inputTokens: 1, outputTokens: 1, cachedTokens: 0 }
  const turn = { story, role: 'coder', agent: 'mine', model: null, usage, usd, exact: true, durationMs: 1 }
  return { type: 'TurnSpent', step: 's', turn }
}

const subjectOf = (tree: string) =>
  ({ type: 'Judged', step: 's', story: 's1', judge: 'check:test', scope: 'story', commit: 'c', tree }) as const

function judged({ tree, reused }: { tree: string; reused: boolean }): DeliveryEvent {
  const counts = { total: 3, passed: 3, failed: 0, skipped: 0 }
  const key = { tree, check: 'test', command: 'npm test', environmentKey: 'e' }
  const proof = { ...key, reused, counts, durationMs: 12, outputDigest: 'o' }
  return { ...subjectOf(tree), verdict: { status: 'passed', proof, concerns: [] } }
}

function red(tree: string): DeliveryEvent {
  return { ...subjectOf(tree), verdict: { status: 'findings', findings: [], failures: 1, proof: null, concerns: [] } }
}
