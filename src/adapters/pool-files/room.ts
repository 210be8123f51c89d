import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { TerminalError, TransientError } from '../../ports/errors.ts'
import type { DiskRoom, Holdings } from '../../ports/holdings.ts'
import { removeTree } from '../../std/files.ts'
import type { Claims } from './claims.ts'
import { entriesOf, removeEntry } from './entry.ts'

/** Longer than a parked step waits before it looks again, and than the work between two uses of a place takes. */
const patienceMs = 180_000

export type Rooms = Pick<Holdings, 'makeRoom' | 'enlarge' | 'besides' | 'settle' | 'release'>

interface House {
  home: string
  claims: Claims
  now: () => number
  rooms: Map<string, DiskRoom>
  /** Since when somebody finds no room. */
  waiting: Map<string, number>
}

export function openRooms({ home, claims, now }: Pick<House, 'home' | 'claims' | 'now'>): Rooms {
  const house: House = { home, claims, now, rooms: new Map(), waiting: new Map() }
  const ask = async (place: string, bytesOf: (room: DiskRoom) => Promise<number>): Promise<void> => {
    const room = house.rooms.get(place)
    if (room === undefined) return
    const bytes = await bytesOf(room)
    await take(house, { place, room, bytes, further: furtherFor(room, bytes) })
  }
  return {
    async makeRoom(place, room) {
      const bytes = room.bytes + addedTo(claims, room)
      await take(house, { place, room, bytes, further: existsSync(place) ? 0 : furtherFor(room, bytes) })
      house.rooms.set(place, room)
    },
    enlarge: (place, added) => ask(place, async ({ bytes }) => bytes + added),
    async besides(place, bytes, use) {
      const room = house.rooms.get(place)
      if (room === undefined) return await use()
      const name = `${place} besides`
      if ((await missing(house, { place: name, room, bytes, further: 0 })) > 0) return null
      return await use().finally(() => claims.release('room', name))
    },
    settle: (place) =>
      ask(place, async (room) => {
        const bytes = (await usageOf(house)).sizeOf(place)
        claims.take('added', room.like, `${Math.max(0, bytes - room.bytes)}`)
        return bytes
      }),
    release(place) {
      const room = house.rooms.get(place)
      if (room === undefined) return
      house.rooms.delete(place)
      claims.release('room', place)
      moved(house, room)
    },
  }
}

interface Wanted {
  place: string
  room: DiskRoom
  /** What the place is expected to take, all in all. */
  bytes: number
  /** What must fit besides. */
  further: number
}

const furtherFor = ({ lasting }: DiskRoom, bytes: number): number => (lasting ? bytes : 0)

/** What set-up has made of such a place the last time. */
const addedTo = (claims: Claims, { like }: DiskRoom): number =>
  Number(claims.of('added').find(({ name }) => name === like)?.detail ?? 0)

async function take(house: House, wanted: Wanted): Promise<void> {
  const { room, bytes, further } = wanted
  if (bytes + further > room.quotaMb * megabyte) throw tooMuch(bytes + further, room)
  const over = await missing(house, wanted)
  const name = `${room.by} ${room.lasting}`
  if (over > 0) throw refusal(house, { room, over, waiting: name })
  house.waiting.delete(name)
  moved(house, room)
}

/** How much too much it is after all is freed that is only kept to be fast. 0: it fits, and is claimed. */
async function missing(house: House, wanted: Wanted): Promise<number> {
  for (;;) {
    const over = claim(house, wanted, await usageOf(house))
    if (over <= 0) return 0
    if (!(await freeOne(house))) return over
  }
}

function claim({ claims }: House, { place, room, bytes, further }: Wanted, usage: Usage): number {
  return claims.alone(() => {
    const others = liveRooms(claims).filter(({ name }) => name !== place)
    const awaited = others.reduce((sum, one) => sum + Math.max(0, one.bytes - usage.sizeOf(one.name)), 0)
    const own = Math.max(0, bytes - usage.sizeOf(place))
    const over = usage.used + awaited + own + further - room.quotaMb * megabyte
    if (over <= 0) claims.take('room', place, JSON.stringify({ bytes, by: room.by }))
    return over
  })
}

function liveRooms(claims: Claims): { name: string; bytes: number; by: string }[] {
  const live = claims.of('room').filter(({ alive }) => alive)
  return live.map(({ name, detail }) => ({ name, ...(JSON.parse(detail) as { bytes: number; by: string }) }))
}

/** Somebody has taken or left room: whoever waits may go on waiting. */
function moved({ claims, now }: House, { by }: DiskRoom): void {
  claims.alone(() => {
    const past = claims.of('moved').filter(({ detail }) => now() - Number(detail) > patienceMs)
    for (const { name } of past) claims.release('moved', name)
    claims.take('moved', by, `${now()}`)
  })
}

interface Refused {
  room: DiskRoom
  over: number
  waiting: string
}

/** Workspaces that wait for each other would wait for ever: when nobody works or has moved for long, a human is asked. */
function refusal({ claims, now, waiting }: House, { room, over, waiting: name }: Refused): Error {
  const since = waiting.get(name) ?? now()
  waiting.set(name, since)
  const isWorking = liveRooms(claims).some(({ by }) => by !== room.by)
  const lastMoved = claims.of('moved').flatMap(({ name: by, detail }) => (by === room.by ? [] : [Number(detail)]))
  if (!isWorking && now() - Math.max(since, ...lastMoved) >= patienceMs)
    return tooMuch(room.quotaMb * megabyte + over, room)
  return new TransientError(`other work has ${sizeText(over)} that it needs; workspace.quotaMb is ${room.quotaMb}`)
}

function tooMuch(bytes: number, { quotaMb, lasting }: DiskRoom): TerminalError {
  const what = lasting ? 'workspaces, the places of their checks and pools' : 'workspaces, places and pools'
  const text = `${what} would take ${sizeText(bytes)}, and workspace.quotaMb is ${quotaMb}`
  return new TerminalError(text, 'Free some with "ropewalk gc --yes", or raise workspace.quotaMb, then resume.')
}

const sizeText = (bytes: number): string => `${Math.ceil(bytes / megabyte)} MB`

const megabyte = 1_000_000

interface Usage {
  /** By all workspaces, places and pools of the home. */
  used: number
  sizeOf(place: string): number
}

/** What pools take is known; the rest is measured, by the one program that does nothing else. */
async function usageOf({ home, claims }: House): Promise<Usage> {
  const folders = ['workspaces', 'places'].map((name) => join(home, name)).filter((folder) => existsSync(folder))
  const pools = (await entriesOf(home, claims)).reduce((sum, { bytes }) => sum + bytes, 0)
  const sizes = folders.length === 0 ? [] : await measured(folders)
  const whole = sizes.filter(({ path }) => !relative(home, path).includes('/'))
  const places = new Map(sizes.map(({ path, bytes }) => [path, bytes]))
  return {
    used: whole.reduce((total, { bytes }) => total + bytes, pools),
    sizeOf: (place) => places.get(place) ?? 0,
  }
}

function measured(folders: string[]): Promise<{ path: string; bytes: number }[]> {
  const env = { PATH: process.env.PATH ?? '', LC_ALL: 'C' }
  return new Promise((done) =>
    // What vanishes while it looks makes it complain, and the rest of what it says is right.
    execFile('du', ['-k', '-d', '2', ...folders], { env, maxBuffer: 64 * megabyte }, (_, text) => {
      const rows = [...text.matchAll(/^(\d+)\t(.*)$/gm)]
      done(rows.map(([, kilobytes, path = '']) => ({ path, bytes: Number(kilobytes) * 1024 })))
    }),
  )
}

/** A spare place costs the least to lose, then the pool entry that nobody has used for longest. False: there is nothing left. */
async function freeOne({ home, claims }: House): Promise<boolean> {
  const [spare] = await sparePlaces(home)
  if (spare !== undefined) {
    await removeTree(spare)
    return !existsSync(spare)
  }
  const entries = (await entriesOf(home, claims)).filter(({ filling, bytes }) => !filling && bytes > 0)
  const oldest = entries.sort((a, b) => a.usedAt - b.usedAt)[0]
  if (oldest === undefined) return false
  await removeEntry(oldest.path)
  return !existsSync(oldest.path)
}

/** Whoever knows of one finds it gone, and makes a place from scratch. */
async function sparePlaces(home: string): Promise<string[]> {
  const root = join(home, 'places')
  const deliveries = await readdir(root).catch(() => [])
  const inside = await Promise.all(
    deliveries.map(async (delivery) => {
      const names = await readdir(join(root, delivery)).catch(() => [])
      return names.filter((name) => name.startsWith('spare-')).map((name) => join(root, delivery, name))
    }),
  )
  return inside.flat()
}
