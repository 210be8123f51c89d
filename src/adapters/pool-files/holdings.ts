import { basename, dirname } from 'node:path'
import type { Holdings, Instance } from '../../ports/holdings.ts'
import { hashOf } from '../../std/hash.ts'
import { type Claims, openClaims } from './claims.ts'
import { releasePorts, takePorts } from './ports.ts'
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
    makeRoom: rooms.make,
    enlarge: rooms.enlarge,
    besides: rooms.besides,
    settle: rooms.settle,
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
