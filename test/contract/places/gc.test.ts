import { existsSync, readdirSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openRepositories } from '../../../src/adapters/git/repositories.ts'
import { memoryLog } from '../../../src/adapters/log-memory/log.ts'
import { filePool } from '../../../src/adapters/pool-files/pool.ts'
import { type GcOptions, gc } from '../../../src/cli/manage/gc.ts'
import type { Cli } from '../../../src/cli/world.ts'
import type { DeliveryEvent } from '../../../src/delivery/events.ts'
import { makeUserRepository } from '../user-repository.ts'
import { freshHome, placeIn, plain, project, write } from './rig.ts'

const archive = 'refs/ropewalk/archive/d1/one/a1-r1-t1'
const kinds = ['workspaces', 'places', 'spools', 'results', 'pulses']

interface Told {
  freed: boolean
  waste: { kind: string; path: string; bytes: number | null; at: number }[]
  kept: { kind: string; kept: string }[]
}

/** A home with one ended delivery, a pool entry, an agent's home and an archive. */
async function openHouse({ open }: { open: boolean }) {
  const home = freshHome()
  const repositories = openRepositories({ home })
  const found = await repositories.find(makeUserRepository({ 'a.txt': 'a' }))
  const repository = await repositories.open(found)
  const base = await repository.fetchTarget('main')
  await repository.moveRef(archive, null, base)
  const log = memoryLog({ isAlive: () => true })
  const requirement = { text: 'x', source: 'test', submitter: 'Ada' }
  const about = { requirement, repository: found, target: 'main', base, review: null }
  const begun: DeliveryEvent = { type: 'DeliveryRequested', ...about }
  const done: DeliveryEvent = { type: 'DeliveryCompleted', step: 's', result: 'stopped', reason: '', concerns: [] }
  const events = (open ? [begun] : [begun, done]).map((event) => ({ at: 1, actor: 'test', cause: null, event }))
  await log.append({ delivery: 'd1', expected: 0, events, fence: null, slots: [] })
  const pool = filePool(home)
  const place = placeIn(home, 'left', project)
  const key = (await pool.keyOf(place, { run: 'npm ci', reads: [], environment: 'here' }))!
  const make = async () => {
    write(place, { 'node_modules/x': 'x' })
    return { ok: true }
  }
  await pool.fill({ ...plain, key, place, make })
  write(home, { 'spools/d1/turn.transcript': 'words', 'spools/d1/check.out': 'output', 'agents/claude/session': 's' })
  const told: Told[] = []
  const world = {
    home,
    log: async () => log,
    pool: async () => pool,
    abandoned: async () => [],
    bringDownAbandoned: async () => {},
    housed: () => ['d1'],
    folders: (delivery: string) => Object.fromEntries(kinds.map((kind) => [kind, join(home, kind, delivery)])),
    repositories: async () => repositories,
  }
  const screen = { json: true, emit: (value: Told) => told.push(value) }
  const collect = async (options: GcOptions): Promise<Told> => {
    await gc({ world, screen, cwd: home } as unknown as Cli, options)
    return told.at(-1)!
  }
  const cool = () => utimesSync(join(home, 'pools', key, 'entry.json'), 1, 1)
  return { home, pool, collect, cool, archives: () => repository.refs('refs/ropewalk/archive/') }
}

const kindsOf = (found: { kind: string }[]): string[] => [...new Set(found.map(({ kind }) => kind))].sort()

describe('gc', () => {
  it('shows all there is, with sizes and ages, and frees nothing unless told to', async () => {
    const { collect, home } = await openHouse({ open: false })
    for (const options of [{}, { yes: true, dryRun: true }]) {
      const { freed, waste, kept } = await collect(options)
      expect(freed).toBe(false)
      expect(kindsOf(waste)).toEqual(['places', 'spools'])
      expect(kindsOf(kept)).toEqual(['archives', 'pools', 'sessions', 'spools'])
      for (const { bytes, at } of waste) expect([bytes! > 0, at > 0]).toEqual([true, true])
    }
    expect(readdirSync(join(home, 'places/d1'))).toEqual(['left'])
  })

  it('frees what nobody uses, and keeps what was said nowhere, what is warm, and archives', async () => {
    const { collect, home, pool, archives } = await openHouse({ open: false })
    expect((await collect({ yes: true })).freed).toBe(true)
    expect(readdirSync(join(home, 'places/d1'))).toEqual([])
    expect(readdirSync(join(home, 'spools/d1'))).toEqual(['turn.transcript'])
    expect(await pool.entries()).toHaveLength(1)
    expect(existsSync(join(home, 'agents/claude/session'))).toBe(true)
    expect(await archives()).toHaveLength(1)
  })

  it.each<[string, GcOptions, string]>([
    ['warm pool entries', { all: true }, 'pools'],
    ['transcripts', { transcripts: true }, 'spools'],
    ['sessions', { sessions: true }, 'sessions'],
    ['archives', { archives: true }, 'archives'],
  ])('frees %s only when they are named', async (_, options, kind) => {
    const { collect } = await openHouse({ open: false })
    expect((await collect({})).kept.map((one) => one.kind)).toContain(kind)
    await collect({ ...options, yes: true })
    const { waste, kept } = await collect(options)
    expect([...waste, ...kept].map((one) => one.kind)).not.toContain(kind)
  })

  it('frees a pool entry that was not used for a week', async () => {
    const { collect, cool, pool } = await openHouse({ open: false })
    cool()
    await collect({ yes: true })
    expect(await pool.entries()).toEqual([])
  })

  it('frees only what is older than told', async () => {
    const { collect, cool } = await openHouse({ open: false })
    cool()
    expect(kindsOf((await collect({ olderThan: '1d' })).waste)).toEqual(['pools'])
    await expect(collect({ olderThan: 'soon' })).rejects.toThrow(/--older-than soon is no age/)
  })

  it('frees nothing of an open delivery, whatever is said', async () => {
    const { collect, archives, home } = await openHouse({ open: true })
    const { waste } = await collect({ yes: true, transcripts: true, sessions: true, archives: true })
    expect(waste).toEqual([])
    expect(await archives()).toHaveLength(1)
    expect(existsSync(join(home, 'agents/claude/session'))).toBe(true)
  })
})
