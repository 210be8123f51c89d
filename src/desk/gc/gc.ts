import { lstatSync, readdirSync, rmSync } from 'node:fs'
import { hostname } from 'node:os'
import { basename, join, relative } from 'node:path'
import { load } from '../../engine/load.ts'
import type { EventLog } from '../../ports/event-log.ts'
import type { Instance } from '../../ports/holdings.ts'
import type { Repository } from '../../ports/repository/repository.ts'
import { hashOf } from '../../std/hash.ts'
import { identifierProblem } from '../../std/identifier.ts'
import { endAbandonedLedgers } from '../prepare/request.ts'
import { requireHome } from '../prepare/settings-layers.ts'
import type { Visit } from '../world.ts'
import { dayMs, isTranscript, type Keeping, keepingOf, namesIn, noteTold, type Stay, stayOf } from './keep.ts'
import { freeSearch, isSearch, searchFolders } from './searches.ts'

export interface GcAsked extends Pick<GcChoice, 'all' | 'transcripts' | 'sessions' | 'archives'> {
  /** Frees what nobody uses; else it is only shown. */
  free: boolean
  /** Nothing that was used within this time; null: however fresh. */
  olderThanMs: number | null
}

export interface GcAnswer {
  waste: GcItem[]
  kept: GcItem[]
  freed: boolean
}

/** What takes room on this machine, and what of it nobody uses. */
export async function gc(visit: Visit, asked: GcAsked, now = Date.now()): Promise<GcAnswer> {
  const { world } = visit
  const { free, olderThanMs, ...flags } = asked
  const keeping = await keepingOf(visit, now)
  const before = olderThanMs === null ? Number.POSITIVE_INFINITY : now - olderThanMs
  const log = await world.log()
  if (free) {
    requireHome(world.home)
    await endAbandonedLedgers(visit)
  }
  const up = (await world.abandoned()).map(leftUp)
  if (free) await world.bringDownAbandoned()
  const found = await findAll(visit, log, { ...flags, before, coldSince: now - (olderThanMs ?? coldMs), keeping })
  const [kept, waste] = parted(found)
  const [left, freed] = parted(free ? await freeAll(visit, log, waste) : waste)
  const past = found.filter((one) => one.past !== undefined).map(({ path }) => path)
  if (past.length > 0) noteTold(visit, keeping, past)
  return { waste: [...up, ...freed], kept: [...kept, ...left], freed: free }
}

/** What is kept to be fast is warm for a week. */
const coldMs = 7 * dayMs

/** What a process had up that was killed. */
const leftUp = ({ name, place }: Instance): GcItem => ({
  ...{ delivery: null, kind: 'services', path: `${name} of ${place}` },
  ...{ bytes: null, at: Date.now(), kept: null },
})

const parted = (found: GcItem[]): [kept: GcItem[], waste: GcItem[]] => [
  found.filter(({ kept }) => kept !== null),
  found.filter(({ kept }) => kept === null),
]

/** Each delivery is held as its driver would hold it, so that nobody begins to work in what is being removed. What is left says why. */
async function freeAll(visit: Visit, log: EventLog, waste: GcItem[]): Promise<GcItem[]> {
  const freed: GcItem[] = []
  for (const delivery of new Set(waste.map((one) => one.delivery))) {
    const own = waste.filter((one) => one.delivery === delivery)
    const free = async (): Promise<void> => {
      for (const one of own) freed.push({ ...one, kept: await whyLeft(visit, log, one) })
    }
    if (delivery === null) await free()
    else if (!(await whileHeld(log, delivery, free))) freed.push(...own.map((one) => ({ ...one, kept: 'in use' })))
  }
  return freed
}

async function whileHeld(log: EventLog, delivery: string, work: () => Promise<void>): Promise<boolean> {
  const holder = { worker: `gc-${process.pid}`, host: hostname(), pid: process.pid }
  const lease = await log.takeLease({ delivery, ...holder, at: Date.now(), ttlMs: longestMs })
  if (lease === null) return false
  try {
    await work()
  } finally {
    await log.releaseLease(lease)
  }
  return true
}

const longestMs = 3_600_000

/** Null: it is gone. One that cannot go must not keep the others. */
async function whyLeft(visit: Visit, log: EventLog, found: GcItem): Promise<string | null> {
  const [end] = await Promise.allSettled([freeOne(visit, log, found)])
  if (end.status === 'rejected') return (end.reason as Error).message
  return end.value ? null : 'its repository is gone'
}

async function freeOne(visit: Visit, log: EventLog, { delivery, kind, path }: GcItem): Promise<boolean> {
  if (kind === 'pools') await (await visit.world.pool()).remove(relative(join(visit.world.home, 'pools'), path))
  else if (kind === 'searches') await freeSearch(visit, basename(path))
  else if (delivery === null || !['workspaces', 'archives', 'branches'].includes(kind))
    rmSync(path, { recursive: true, force: true })
  else return await freeWork(await openRepository(visit, log, delivery), { delivery, kind, path })
  return true
}

/** False: there is nobody who could archive it. */
async function freeWork(
  repository: Repository | null,
  { delivery, kind, path }: { delivery: string; kind: string; path: string },
): Promise<boolean> {
  if (kind !== 'workspaces') await repository?.deleteRef(path.slice(path.indexOf(' ') + 1))
  // It is archived before it goes, so that nothing anybody wrote is lost.
  else await repository?.closeWorkspace({ path, archiveAs: `${delivery}/freed/${refName(basename(path))}`, kept: [] })
  return repository !== null
}

/** A workspace is called like its story, and a little longer than an id may be. */
const refName = (name: string): string =>
  identifierProblem(name) === null ? name : `${name.slice(0, 40)}-${hashOf(name)}`

/** What is said of what may go. */
interface GcChoice {
  all: boolean
  transcripts: boolean
  sessions: boolean
  archives: boolean
  /** Nothing that was used after this. */
  before: number
  /** Of what is only kept to be fast: that which was not used since. */
  coldSince: number
  keeping: Keeping
}

export interface GcItem extends Stay {
  /** Null: it belongs to all of them. */
  delivery: string | null
  kind: string
  /** A file, a folder, or a ref. */
  path: string
  /** Null: not known. */
  bytes: number | null
  at: number
}

interface Home {
  visit: Visit
  log: EventLog
  choice: GcChoice
  /** Deliveries that have ended and that nobody holds, and all that the log knows. */
  ended: Set<string>
  known: Set<string>
  anyOpen: boolean
}

/** Everything that takes room in the home, and whether it may go. */
async function findAll(visit: Visit, log: EventLog, choice: GcChoice): Promise<GcItem[]> {
  const rows = await log.deliveries(null)
  const ended = new Set<string>()
  for (const { delivery, result } of rows)
    if (result !== null && (await log.leaseOf(delivery)) === null) ended.add(delivery)
  const known = new Set(rows.map(({ delivery }) => delivery))
  const home = { visit, log, choice, ended, known, anyOpen: rows.some(({ result }) => result === null) }
  const housed = visit.world.housed().filter((name) => known.has(name) || !isSearch(name))
  const found = [
    ...housed.flatMap((delivery) => filesOf(home, delivery)),
    ...searches(visit),
    ...(await pools(visit, choice)),
    ...sessions(home),
    ...(await refs(home)),
  ]
  return found.map((one) => (one.kept === null && one.at > choice.before ? { ...one, kept: 'recent' } : one))
}

function filesOf({ visit: { world }, ended, known, choice }: Home, delivery: string): GcItem[] {
  const stays = ended.has(delivery) ? null : known.has(delivery) ? 'in use' : 'of no delivery that the log knows'
  return Object.entries(world.folders(delivery)).flatMap(([kind, folder]) =>
    namesIn(folder).map((name) => {
      const path = join(folder, name)
      const size = sizeOf(path)
      const stay = stays === null ? fileStay({ kind, name, path, at: size.at }, choice) : { kept: stays }
      return { delivery, kind, path, ...size, ...stay }
    }),
  )
}

function fileStay(
  { kind, name, path, at }: Record<'kind' | 'name' | 'path', string> & { at: number },
  { keeping, transcripts, all }: GcChoice,
): Stay {
  if (isTranscript(name) && !transcripts)
    return stayOf({ key: 'transcriptsDays', at, path }, keeping, 'a transcript (--transcripts)')
  const most = keeping.days.workspacesDays ?? Number.POSITIVE_INFINITY
  // Clocks of disks may be ahead: none at all is none, whatever they say.
  const fresh = kind === 'workspaces' && !all && most > 0 && keeping.now - at < most * dayMs
  return { kept: fresh ? 'a workspace that may be looked at (keep.workspacesDays, --all)' : null }
}

/** Places of `ropewalk regress`, which are gone by themselves unless it was killed. */
const searches = (visit: Visit): GcItem[] =>
  searchFolders(visit).map(({ path, gone }) => ({
    ...{ delivery: null, kind: 'searches', path, ...sizeOf(path), kept: gone ? null : 'in use' },
  }))

async function pools({ world }: Visit, { all, coldSince }: GcChoice): Promise<GcItem[]> {
  const entries = await (await world.pool()).entries()
  return entries.map(({ name, path, bytes, usedAt: at, filling, own }) => {
    const cold = all || /[./]/.test(name) || at < coldSince
    const warm = own === null ? 'warm (--all)' : `set-up runs in each place: ${own} (--all)`
    return { delivery: null, kind: 'pools', path, bytes, at, kept: filling ? 'in use' : cold ? null : warm }
  })
}

/** An agent's own home has its sessions, and may have a sign-in that was renewed there. */
function sessions({ visit: { world }, anyOpen, choice }: Home): GcItem[] {
  const folder = join(world.home, 'agents')
  const kept = anyOpen ? 'in use' : choice.sessions ? null : 'sessions of agents (--sessions)'
  return namesIn(folder).map((name) => {
    const path = join(folder, name)
    return { delivery: null, kind: 'sessions', path, ...sizeOf(path), kept }
  })
}

/** Archived work, and the line and stories of deliveries that ended long ago. */
async function refs({ visit, log, ended, choice: { keeping, archives } }: Home): Promise<GcItem[]> {
  const found: GcItem[] = []
  for (const { repository, times } of await repositoriesOf(log)) {
    const open = await openRepository(visit, log, [...times.keys()][0]!)
    const about = (delivery: string, kind: string, ref: string) => ({
      ...{ delivery, kind, path: `${repository} ${ref}`, bytes: null, at: times.get(delivery) ?? 0 },
    })
    for (const { ref } of (await open?.refs('refs/ropewalk/archive/')) ?? []) {
      const one = about(ref.split('/')[3] ?? '', 'archives', ref)
      const aged = stayOf({ ...one, key: 'archivesDays' }, keeping, 'an archive (--archives)')
      const stay = ended.has(one.delivery) ? (archives ? { kept: null } : aged) : { kept: 'in use' }
      found.push({ ...one, ...stay })
    }
    for (const delivery of [...times.keys()].filter((id) => ended.has(id)))
      for (const { ref } of (await open?.refs(`refs/ropewalk/${delivery}/`)) ?? []) {
        const one = about(delivery, 'branches', ref)
        const aged = stayOf({ ...one, key: 'branchesDays' }, keeping, '')
        if (aged.past !== undefined) found.push({ ...one, ...aged })
      }
  }
  return found
}

async function repositoriesOf(log: EventLog): Promise<{ repository: string; times: Map<string, number> }[]> {
  const all = new Map<string, Map<string, number>>()
  for (const { repository, delivery, updatedAt } of await log.deliveries(null))
    all.set(repository, (all.get(repository) ?? new Map<string, number>()).set(delivery, updatedAt))
  return [...all].map(([repository, times]) => ({ repository, times }))
}

/** Our clone of the repository that a delivery is about; null when the user's is gone. */
async function openRepository({ world }: Visit, log: EventLog, delivery: string): Promise<Repository | null> {
  const { request } = await load(log, delivery)
  if (request === null) return null
  return await (await world.repositories(world.home)).open(request.repository).catch(() => null)
}

/** What it takes on the disk, and when something in it was last written. */
function sizeOf(path: string): { bytes: number; at: number } {
  const stat = lstatSync(path, { throwIfNoEntry: false })
  if (stat === undefined) return { bytes: 0, at: 0 }
  const own = { bytes: stat.blocks * 512, at: stat.mtimeMs }
  if (!stat.isDirectory()) return own
  for (const name of readdirSync(path)) {
    const inner = sizeOf(join(path, name))
    own.bytes += inner.bytes
    own.at = Math.max(own.at, inner.at)
  }
  return own
}
