import { createServer } from 'node:net'
import { basename, dirname } from 'node:path'
import { TransientError } from '../../ports/errors.ts'
import type { Holdings, Instance } from '../../ports/holdings.ts'
import { hashOf } from '../../std/hash.ts'
import { type Claims, openClaims } from './claims.ts'
import { openRooms } from './room.ts'

/** Claims in the home; what a place's environment has is known to the process that made it. */
export function fileHoldings(home: string, now: () => number = Date.now): Holdings {
  const claims = openClaims(home)
  const rooms = openRooms({ home, claims, now })
  const environments = new Map<string, Record<string, string>>()
  return {
    async hold(place, count) {
      const first = count === 0 ? 0 : await takePorts(claims, { home, place, count })
      environments.set(place, environment(place, { first, count }))
    },
    ...rooms,
    // Of two processes in one place the later one has it; the other was replaced, and only tidies up.
    recordInstance: (instance) => claims.take('instance', nameOf(instance), JSON.stringify(instance)),
    forgetInstance: (instance) => claims.release('instance', nameOf(instance)),
    instancesOf: (place) =>
      instances(claims).flatMap(({ mine, instance }) => (mine && instance.place === place ? [instance] : [])),
    abandoned: () => abandoned(claims),
    adoptInstances: () => (claims.isEmpty() ? [] : claims.alone(() => adopted(claims))),
    environmentOf: (folder) => environments.get(holder(environments, folder)) ?? {},
    release(place) {
      environments.delete(place)
      rooms.release(place)
      releasePorts(claims, place)
    },
  }
}

const instances = (claims: Claims): { alive: boolean; mine: boolean; instance: Instance }[] =>
  claims.of('instance').map(({ alive, mine, detail }) => ({ alive, mine, instance: JSON.parse(detail) as Instance }))

const abandoned = (claims: Claims): Instance[] =>
  instances(claims).flatMap(({ alive, instance }) => (alive ? [] : [instance]))

function adopted(claims: Claims): Instance[] {
  const left = abandoned(claims)
  for (const instance of left) claims.claim('instance', nameOf(instance), JSON.stringify(instance))
  for (const kind of ['ports', 'room', 'pool', 'spare', 'copying'])
    for (const { name, alive } of claims.of(kind)) if (!alive) claims.release(kind, name)
  return left
}

const nameOf = ({ place, name }: Instance): string => `${place}\n${name}`

function environment(place: string, { first, count }: { first: number; count: number }): Record<string, string> {
  const ports = count === 0 ? {} : { ROPEWALK_PORT: `${first}`, ROPEWALK_PORTS: `${count}` }
  return { ROPEWALK_PLACE: `ropewalk_${hashOf([dirname(place), basename(place)])}`, ...ports }
}

/** The place that the folder is in. */
function holder(environments: Map<string, unknown>, folder: string): string {
  if (environments.has(folder) || dirname(folder) === folder) return folder
  return holder(environments, dirname(folder))
}

/** Below where systems take ports for outgoing connections. */
const [lowest, highest] = [20_000, 32_000]

interface Range {
  first: number
  count: number
  place: string
}

/**
 * Ranges are claimed first and tried afterwards: two that look at once do not both find one free. Each home begins
 * elsewhere, so that those of several homes seldom meet.
 */
async function takePorts(claims: Claims, wanted: { home: string; place: string; count: number }): Promise<number> {
  const begin = lowest + (Number.parseInt(hashOf(wanted.home).slice(0, 6), 16) % (highest - lowest))
  return (
    (await takeBetween(claims, wanted, [begin, highest])) ??
    (await takeBetween(claims, wanted, [lowest, begin])) ??
    none(wanted.count)
  )
}

type Between = [from: number, to: number]

async function takeBetween(
  claims: Claims,
  { place, count }: { place: string; count: number },
  [from, to]: Between,
): Promise<number | null> {
  for (let first = from; ; first += count) {
    const claimed = claimFrom(claims, { first, count, place }, to)
    if (claimed === null) return null
    first = claimed
    if (await areFree(first, count)) return first
    claims.release('ports', `${first}`)
  }
}

function none(count: number): never {
  throw new TransientError(`no ${count} ports in a row between ${lowest} and ${highest} are free`)
}

function releasePorts(claims: Claims, place: string): void {
  for (const { name, detail } of claims.of('ports'))
    if ((JSON.parse(detail) as Range).place === place) claims.release('ports', name)
}

/** The first range from here on that overlaps with nobody's; null: none. */
function claimFrom(claims: Claims, { first, count, place }: Range, to: number): number | null {
  return claims.alone(() => {
    const held = claims.of('ports')
    for (const { name, alive } of held) if (!alive) claims.release('ports', name)
    const ranges = held.filter(({ alive }) => alive).map(({ detail }) => JSON.parse(detail) as Range)
    let start = first
    for (;;) {
      const other = ranges.find((one) => start < one.first + one.count && one.first < start + count)
      if (other === undefined) break
      start = other.first + other.count
    }
    if (start + count > to) return null
    claims.claim('ports', `${start}`, JSON.stringify({ first: start, count, place }))
    return start
  })
}

async function areFree(first: number, count: number): Promise<boolean> {
  for (let port = first; port < first + count; port++) if (!(await isFree(port))) return false
  return true
}

/** On every address: what listens on one of them only is in the way, too. */
async function isFree(port: number): Promise<boolean> {
  for (const host of ['127.0.0.1', '0.0.0.0', '::']) if ((await listening(port, host)) === 'EADDRINUSE') return false
  return true
}

function listening(port: number, host: string): Promise<string | null> {
  return new Promise((done) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => done(error.code ?? 'unknown'))
    server.listen({ port, host, exclusive: true }, () => server.close(() => done(null)))
  })
}
