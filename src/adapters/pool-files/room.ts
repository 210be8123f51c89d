import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { TerminalError } from '../../ports/errors.ts'
import type { Claims } from './claims.ts'
import { entriesOf, removeEntry } from './entry.ts'

const megabyte = 1_000_000

/** A place that is not there yet is taken to become as large as the largest there is; one that is there counts already. */
export async function makeRoom({ home, claims }: House, place: string, quotaMb: number): Promise<void> {
  for (;;) {
    const { used, largest } = await usage({ home, claims })
    const wanted = existsSync(place) ? 0 : largest
    const fits = claims.alone(() => {
      const others = claims.of('room').filter(({ name, alive }) => alive && name !== place)
      const awaited = others.reduce((sum, { detail }) => sum + Number(detail), 0)
      const enough = used + awaited + wanted <= quotaMb * megabyte
      if (enough) claims.claim('room', place, `${wanted}`)
      return enough
    })
    if (fits) return
    if (!(await freeOne(home, claims))) throw tooMuch(used + wanted, quotaMb)
  }
}

export async function settle({ home, claims }: House, place: string, quotaMb: number): Promise<void> {
  claims.release('room', place)
  for (;;) {
    const { used } = await usage({ home, claims })
    if (used <= quotaMb * megabyte) return
    if (!(await freeOne(home, claims))) throw tooMuch(used, quotaMb)
  }
}

interface House {
  home: string
  claims: Claims
}

function tooMuch(bytes: number, quotaMb: number): TerminalError {
  const text = `workspaces, places and pools would take ${Math.ceil(bytes / megabyte)} MB, and workspace.quotaMb is ${quotaMb}`
  return new TerminalError(text, 'Free some with "ropewalk gc --yes", or raise workspace.quotaMb, then resume.')
}

/** What pools take is known; the rest is measured, by the one program that does nothing else. */
async function usage({ home, claims }: House): Promise<{ used: number; largest: number }> {
  const folders = ['workspaces', 'places'].map((name) => join(home, name)).filter((folder) => existsSync(folder))
  const pools = (await entriesOf(home, claims)).reduce((sum, { bytes }) => sum + bytes, 0)
  const sizes = folders.length === 0 ? [] : await measured(folders)
  const depth = (path: string): number => relative(home, path).split('/').length
  const sum = sizes.filter(({ path }) => depth(path) === 1).reduce((total, { bytes }) => total + bytes, 0)
  const places = sizes.filter(({ path }) => depth(path) === 3).map(({ bytes }) => bytes)
  return { used: pools + sum, largest: Math.max(0, ...places) }
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
async function freeOne(home: string, claims: Claims): Promise<boolean> {
  const [spare] = await sparePlaces(home)
  if (spare !== undefined) {
    await rm(spare, { recursive: true, force: true })
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
