import { rmSync } from 'node:fs'
import { hostname } from 'node:os'
import { basename, join, relative } from 'node:path'
import type { EventLog } from '../../ports/event-log.ts'
import type { Repository } from '../../ports/repository.ts'
import { hashOf } from '../../std/hash.ts'
import { identifierProblem } from '../../std/identifier.ts'
import type { Visit } from '../world.ts'
import { type Found, openRepository } from './found.ts'
import { freeSearch } from './searches.ts'

/** Each delivery is held as its driver would hold it, so that nobody begins to work in what is being removed. What is left says why. */
export async function freeAll(visit: Visit, log: EventLog, waste: Found[]): Promise<Found[]> {
  const freed: Found[] = []
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
async function whyLeft(visit: Visit, log: EventLog, found: Found): Promise<string | null> {
  const [end] = await Promise.allSettled([freeOne(visit, log, found)])
  if (end.status === 'rejected') return (end.reason as Error).message
  return end.value ? null : 'its repository is gone'
}

async function freeOne(visit: Visit, log: EventLog, { delivery, kind, path }: Found): Promise<boolean> {
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
