import { execFile } from 'node:child_process'
import { readlinkSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { bytesOf, lineOf, notGit, type Seen, walk } from './walk.ts'

export interface Before {
  lines: Map<string, string>
}

/** How a place is before set-up runs in it. */
export async function look(place: string): Promise<Before> {
  const seen = await walk(place, notGit)
  return { lines: new Map(seen.map((one) => [one.path, stampOf(place, one)])) }
}

export type Product = { roots: string[]; bytes: number } | { unmovable: string }

/** What set-up has made: the outermost things that were not there. What it changed besides those has no place but its own. */
export async function productOf(place: string, before: Before): Promise<Product> {
  const isKnown = (path: string): boolean => before.lines.has(path)
  const seen = await walk(place, (path) => notGit(path) && isKnown(path))
  const roots = seen.filter(({ path }) => !isKnown(path) && path !== '.git').map(({ path }) => path)
  const changed = changedIn(place, seen, before)
  if (changed !== null) return { unmovable: `it changes ${changed}` }
  if (roots.length === 0) return { unmovable: 'it leaves nothing in the place' }
  const inside = await insideOf(place, roots)
  if (inside.some((one) => leadsBack(place, one))) return { unmovable: 'it makes links to where it is' }
  if (await mentions(place, roots)) return { unmovable: 'it writes down where it is' }
  return { roots, bytes: bytesOf(inside) }
}

function changedIn(place: string, seen: Seen[], { lines }: Before): string | null {
  const found = new Set(seen.map(({ path }) => path))
  const gone = [...lines.keys()].find((path) => !found.has(path))
  const other = seen.find((one) => lines.has(one.path) && lines.get(one.path) !== stampOf(place, one))
  return gone ?? other?.path ?? null
}

/** A folder changes with what is in it, which is looked at by itself. */
const stampOf = (place: string, one: Seen): string => (one.stat.isDirectory() ? 'folder' : lineOf(place, one))

async function insideOf(place: string, roots: string[]): Promise<Seen[]> {
  const wanted = new Set(roots)
  const isInside = (path: string): boolean => roots.some((root) => path === root || path.startsWith(`${root}/`))
  const leadsTo = (path: string): boolean => roots.some((root) => root.startsWith(`${path}/`))
  const seen = await walk(place, (path) => wanted.has(path) || leadsTo(path) || isInside(path))
  return seen.filter(({ path }) => isInside(path))
}

const leadsBack = (place: string, { path, stat }: Seen): boolean =>
  stat.isSymbolicLink() && readlinkSync(join(place, path)).startsWith(place)

/** In its texts and programs: a virtual environment, for one, works only where it was made. Unsure counts as yes. */
function mentions(place: string, roots: string[]): Promise<boolean> {
  const args = ['-rqF', '-e', place, '-e', realpathSync(place), '--', ...roots]
  const env = { PATH: process.env.PATH ?? '', LC_ALL: 'C' }
  return new Promise((done) => execFile('grep', args, { cwd: place, env }, (error) => done(error?.code !== 1)))
}
