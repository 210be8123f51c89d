import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { removeTree } from '../../std/remove-tree.ts'
import type { Claims } from './claims.ts'
import { entriesOf, removeEntry } from './entry.ts'

export const megabyte = 1_000_000

export interface Usage {
  /** By all workspaces, places and pools of the home. */
  used: number
  sizeOf(place: string): number
}

interface House {
  home: string
  claims: Claims
}

/** What pools take is known; the rest is measured, by the one program that does nothing else. */
export async function usageOf({ home, claims }: House): Promise<Usage> {
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
export async function freeOne({ home, claims }: House): Promise<boolean> {
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
