import { existsSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { keptRefs } from '../../../src/adapters/git/refs.ts'
import { openRepositories } from '../../../src/adapters/git/repositories.ts'
import { filePool } from '../../../src/adapters/pool-files/pool.ts'
import { leavingLines } from '../../../src/cli/show/delivery-lines.ts'
import type { DeliveryEvent } from '../../../src/delivery/events.ts'
import { type GcAnswer, type GcAsked, gc } from '../../../src/desk/gc/gc.ts'
import { leavingOf } from '../../../src/desk/gc/keep.ts'
import type { Visit } from '../../../src/desk/world.ts'
import { memoryLog } from '../../log-memory/log.ts'
import { makeUserRepository } from '../user-repository.ts'
import { freshHome, placeIn, plain, project, write } from './rig.ts'

const archive = 'refs/ropewalk/archive/d1/one/a1-r1-t1'
const kinds = ['workspaces', 'places', 'spools', 'results', 'pulses']

/** As somebody asks for it, who leaves out what they do not want. */
type Options = Partial<GcAsked> & { olderThanDays?: number }

/** A home with one ended delivery, a pool entry, an agent's home and an archive. */
async function openHouse({ open }: { open: boolean }) {
  const home = freshHome()
  const repositories = openRepositories({ home })
  const found = await repositories.find(makeUserRepository({ 'a.txt': 'a' }))
  const repository = await repositories.open(found)
  const base = await repository.fetchTarget('main')
  await repository.moveRef(archive, null, base)
  await repository.moveRef('refs/ropewalk/d1/line', null, base)
  const log = memoryLog({ isAlive: () => true })
  const requirement = { text: 'x', source: 'test', submitter: 'Ada' }
  const about = { requirement, repository: found, target: 'main', base, review: null }
  const begun: DeliveryEvent = { type: 'DeliveryRequested', ...about }
  const done: DeliveryEvent = { type: 'DeliveryCompleted', step: 's', result: 'stopped', reason: '', concerns: [] }
  const events = (open ? [begun] : [begun, done]).map((event) => ({
    at: Date.now(),
    actor: 'test',
    cause: null,
    event,
  }))
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
  const world = {
    home,
    userFile: join(home, 'config.yaml'),
    log: async () => log,
    pool: async () => pool,
    abandoned: async () => [],
    bringDownAbandoned: async () => {},
    housed: () => ['d1'],
    folders: (delivery: string) => Object.fromEntries(kinds.map((kind) => [kind, join(home, kind, delivery)])),
    repositories: async () => repositories,
    keptRefs: () => keptRefs(home),
  }
  const visit = { world, user: 'ada' } as unknown as Visit
  const dayMs = 24 * 3_600_000
  const collect = async ({ olderThanDays, ...options }: Options, inDays = 0): Promise<GcAnswer> => {
    const flags = { free: false, all: false, transcripts: false, sessions: false, archives: false }
    const olderThanMs = olderThanDays === undefined ? null : olderThanDays * dayMs
    return await gc(visit, { ...flags, olderThanMs, ...options }, Date.now() + inDays * dayMs)
  }
  const soon = (inDays: number) => leavingOf(visit, Date.now() + inDays * dayMs)
  const cool = () => utimesSync(join(home, 'pools', key, 'entry.json'), 1, 1)
  const own = () => repository.refs('refs/ropewalk/d1/')
  const moveRef = (ref: string) => repository.moveRef(ref, null, base)
  return { home, pool, collect, soon, cool, own, moveRef, archives: () => repository.refs('refs/ropewalk/archive/') }
}

const kindsOf = (found: { kind: string }[]): string[] => [...new Set(found.map(({ kind }) => kind))].sort()

describe('what is about to be past its days', () => {
  it('is told a week ahead, of ended deliveries alone, until it is gone', async () => {
    const { soon, collect, home } = await openHouse({ open: false })
    expect(await soon(82)).toEqual([])
    expect(await soon(84)).toEqual([{ what: 'transcript', count: 1 }])
    const all = ['transcript', 'archived ref', 'branch ref'].map((what) => ({ what, count: 1 }))
    expect(await soon(200)).toEqual(all)
    expect(leavingLines(all)).toHaveLength(1)
    await collect({}, 200)
    await collect({ free: true }, 200)
    expect(await soon(200)).toEqual([])
    write(home, { 'workspaces/d1/one/a.txt': 'a', 'config.yaml': 'keep: { workspacesDays: 14 }' })
    expect(await soon(7)).toEqual([{ what: 'workspace', count: 1 }])
    expect(leavingLines([])).toEqual([])
    expect(await (await openHouse({ open: true })).soon(200)).toEqual([])
  })

  it('is no reason to say nothing else where it cannot be read', async () => {
    const { soon, home } = await openHouse({ open: false })
    write(home, { 'config.yaml': 'keep: [no settings' })
    expect(await soon(200)).toEqual([])
  })
})

describe('gc', () => {
  it('shows all there is, with sizes and ages, and frees nothing unless told to', async () => {
    const { collect, home } = await openHouse({ open: false })
    const { freed, waste, kept } = await collect({})
    expect(freed).toBe(false)
    expect(kindsOf(waste)).toEqual(['places', 'spools'])
    expect(kindsOf(kept)).toEqual(['archives', 'pools', 'sessions', 'spools'])
    for (const { bytes, at } of waste) expect([bytes! > 0, at > 0]).toEqual([true, true])
    expect(readdirSync(join(home, 'places/d1'))).toEqual(['left'])
  })

  it('frees what nobody uses, and keeps what was said nowhere, what is warm, and archives', async () => {
    const { collect, home, pool, archives } = await openHouse({ open: false })
    expect((await collect({ free: true })).freed).toBe(true)
    expect(readdirSync(join(home, 'places/d1'))).toEqual([])
    expect(readdirSync(join(home, 'spools/d1'))).toEqual(['turn.transcript'])
    expect(await pool.entries()).toHaveLength(1)
    expect(existsSync(join(home, 'agents/claude/session'))).toBe(true)
    expect(await archives()).toHaveLength(1)
  })

  it.each<[string, Options, string]>([
    ['warm pool entries', { all: true }, 'pools'],
    ['transcripts', { transcripts: true }, 'spools'],
    ['sessions', { sessions: true }, 'sessions'],
    ['archives', { archives: true }, 'archives'],
  ])('frees %s only when they are named', async (_, options, kind) => {
    const { collect } = await openHouse({ open: false })
    expect((await collect({})).kept.map((one) => one.kind)).toContain(kind)
    await collect({ ...options, free: true })
    const { waste, kept } = await collect(options)
    expect([...waste, ...kept].map((one) => one.kind)).not.toContain(kind)
  })

  it('frees a pool entry that was not used for a week', async () => {
    const { collect, cool, pool } = await openHouse({ open: false })
    cool()
    await collect({ free: true })
    expect(await pool.entries()).toEqual([])
  })

  it('frees only what is older than told', async () => {
    const { collect, cool } = await openHouse({ open: false })
    cool()
    expect(kindsOf((await collect({ olderThanDays: 1 })).waste)).toEqual(['pools'])
  })

  it('frees nothing of an open delivery, whatever is said', async () => {
    const { collect, archives, home } = await openHouse({ open: true })
    const { waste } = await collect({ free: true, transcripts: true, sessions: true, archives: true })
    expect(waste).toEqual([])
    expect(await archives()).toHaveLength(1)
    expect(existsSync(join(home, 'agents/claude/session'))).toBe(true)
  })
})

describe('gc by age', () => {
  const whys = (found: { kind: string; kept?: string | null; past?: string }[], kind: string) =>
    found.filter((one) => one.kind === kind).map(({ kept, past }) => kept ?? past)
  const settings = (home: string, keep: object) =>
    writeFileSync(join(home, 'config.yaml'), JSON.stringify({ keep: { ...keep } }))

  it('leaves what is nowhere else until its days are over, says so first, and frees it the next time', async () => {
    const { collect, home, archives, own, moveRef } = await openHouse({ open: false })
    const transcript = join(home, 'spools/d1/turn.transcript')
    expect(whys((await collect({ free: true }, 89)).kept, 'spools')).toEqual(['a transcript (--transcripts)'])
    const past = 'older than 90 days (keep.transcriptsDays)'
    expect(whys((await collect({ free: true }, 91)).kept, 'spools')).toEqual([`${past}: goes with the next gc --yes`])
    expect(existsSync(transcript)).toBe(true)
    expect(whys((await collect({}, 92)).waste, 'spools')).toEqual([past])
    expect(existsSync(transcript)).toBe(true)
    await collect({ free: true }, 92)
    expect(existsSync(transcript)).toBe(false)
    // What was told of one thing is not told of another.
    expect(kindsOf((await collect({ free: true }, 181)).kept)).toEqual(['archives', 'branches', 'sessions'])
    expect([await archives(), await own()].map(({ length }) => length)).toEqual([1, 1])
    await moveRef('refs/ropewalk/archive/d1/later')
    expect(kindsOf((await collect({ free: true }, 181)).waste)).toEqual(['archives', 'branches'])
    expect((await archives()).map(({ ref }) => ref)).toEqual(['refs/ropewalk/archive/d1/later'])
    expect(await own()).toEqual([])
  })

  it('says it again when the days were changed, and never frees what is kept for ever', async () => {
    const { collect, home } = await openHouse({ open: false })
    await collect({}, 200)
    settings(home, { transcriptsDays: 30, archivesDays: null, branchesDays: null })
    expect((await collect({ free: true }, 200)).waste.map(({ path }) => path)).not.toContain(
      join(home, 'spools/d1/turn.transcript'),
    )
    expect(whys((await collect({}, 40)).kept, 'spools')).toEqual([])
    const { waste, kept } = await collect({ free: true }, 10_000)
    expect(kindsOf(waste)).toEqual(['spools'])
    expect(kindsOf(kept)).toEqual(['archives', 'sessions'])
  })

  it('leaves workspaces for as long as the settings say, but for --all', async () => {
    const { collect, home } = await openHouse({ open: false })
    write(home, { 'workspaces/d1/one/a.txt': 'a' })
    expect(kindsOf((await collect({})).waste)).toContain('workspaces')
    settings(home, { workspacesDays: 7 })
    expect(kindsOf((await collect({}, 6)).kept)).toContain('workspaces')
    expect(kindsOf((await collect({ all: true }, 6)).waste)).toContain('workspaces')
    expect(kindsOf((await collect({}, 8)).waste)).toContain('workspaces')
  })

  it('frees nothing of an open delivery, however old', async () => {
    const { collect } = await openHouse({ open: true })
    await collect({ free: true }, 1_000)
    expect((await collect({ free: true }, 1_000)).waste).toEqual([])
  })
})
