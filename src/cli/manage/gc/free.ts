import { rmSync } from 'node:fs'
import { hostname } from 'node:os'
import { basename } from 'node:path'
import type { EventLog } from '../../../ports/event-log.ts'
import { hashOf } from '../../../std/hash.ts'
import { identifierProblem } from '../../../std/identifier.ts'
import type { Cli } from '../../world.ts'
import { type Found, openRepository } from './found.ts'

/** Each delivery is held as its driver would hold it, so that nobody begins to work in what is being removed. */
export async function freeAll(cli: Cli, log: EventLog, waste: Found[]): Promise<Found[]> {
  const freed: Found[] = []
  for (const delivery of new Set(waste.map((one) => one.delivery))) {
    const own = waste.filter((one) => one.delivery === delivery)
    const free = async (): Promise<void> => {
      for (const one of own) await freeOne(cli, log, one)
    }
    if (delivery === null) await free()
    else if (!(await whileHeld(log, delivery, free))) continue
    freed.push(...own)
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

async function freeOne(cli: Cli, log: EventLog, { delivery, kind, path }: Found): Promise<void> {
  if (kind === 'pools') return await (await cli.world.pool()).remove(basename(path))
  if (delivery === null || (kind !== 'workspaces' && kind !== 'archives'))
    return rmSync(path, { recursive: true, force: true })
  const repository = await openRepository(cli, log, delivery)
  if (kind === 'archives') return await repository?.deleteRef(path.slice(path.indexOf(' ') + 1))
  // It is archived before it goes, so that nothing anybody wrote is lost.
  await repository?.closeWorkspace({ path, archiveAs: `${delivery}/freed/${refName(basename(path))}`, kept: [] })
}

/** A workspace is called like its story, and a little longer than an id may be. */
const refName = (name: string): string =>
  identifierProblem(name) === null ? name : `${name.slice(0, 40)}-${hashOf(name)}`
