import { rmSync } from 'node:fs'
import { hostname } from 'node:os'
import { basename, join, relative } from 'node:path'
import type { EventLog } from '../../ports/event-log.ts'
import type { Instance } from '../../ports/holdings.ts'
import type { Repository } from '../../ports/repository/repository.ts'
import { hashOf } from '../../std/hash.ts'
import { identifierProblem } from '../../std/identifier.ts'
import { endAbandonedLedgers } from '../prepare/ledger.ts'
import type { Visit } from '../world.ts'
import { findAll, type GcChoice, type GcItem, openRepository } from './found.ts'
import { dayMs, keepingOf, noteTold } from './keep.ts'
import { freeSearch } from './searches.ts'

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
  if (free) await endAbandonedLedgers(visit)
  const up = (await world.abandoned()).map(leftUp)
  if (free) await world.bringDownAbandoned()
  const found = await findAll(visit, log, { ...flags, before, coldSince: now - (olderThanMs ?? coldMs), keeping })
  const [kept, waste] = parted(found)
  const [left, freed] = parted(free ? await freeAll(visit, log, waste) : waste)
  const past = found.filter((one) => one.past !== undefined)
  const paths = past.map(({ path }) => path)
  if (past.length > 0) noteTold(visit, keeping, paths)
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
