import { execFile } from 'node:child_process'
import { lstatSync, readlinkSync, realpathSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { chunks } from './copy.ts'
import { bytesOf, fileLine, notGit, type Seen, walk } from './walk.ts'

export interface Before {
  lines: Map<string, string>
}

/** How a place is before set-up runs in it. */
export async function look(place: string): Promise<Before> {
  const seen = await walk(place, notGit)
  return { lines: new Map(seen.map((one) => [one.path, stampOf(place, one)])) }
}

/** `bound`: it works only at the path where it was seen. */
export type Product = { roots: string[]; bytes: number; bound: boolean } | { unmovable: string }

/** What set-up has made: the outermost things that were not there. What it changed besides those has no place but its own. */
export async function productOf(place: string, before: Before, seenAt: string | null): Promise<Product> {
  const isKnown = (path: string): boolean => before.lines.has(path)
  const seen = await walk(place, (path) => notGit(path) && isKnown(path))
  const roots = seen.filter(({ path }) => !isKnown(path) && path !== '.git').map(({ path }) => path)
  const changed = changedIn(place, seen, before)
  if (changed !== null) return { unmovable: `it changes ${changed}` }
  if (roots.length === 0) return { unmovable: 'it leaves nothing in the place' }
  const inside = (await Promise.all(roots.map((root) => treeOf(place, root)))).flat()
  const odd = inside.find(({ stat }) => !stat.isFile() && !stat.isDirectory() && !stat.isSymbolicLink())
  if (odd !== undefined) return { unmovable: `it leaves a pipe, a socket or a device: ${odd.path}` }
  const away = inside.find((one) => one.stat.isSymbolicLink() && leadsAway(place, one.path))
  if (away !== undefined) return { unmovable: `it makes a link that works only where it is: ${away.path}` }
  if (await mentions(place, roots, [place, realpathSync(place)])) return { unmovable: 'it writes down where it is' }
  return { roots, bytes: bytesOf(inside), bound: seenAt !== null && (await isBound(place, inside, { roots, seenAt })) }
}

async function isBound(place: string, inside: Seen[], { roots, seenAt }: { roots: string[]; seenAt: string }) {
  const leads = (one: Seen) => one.stat.isSymbolicLink() && readlinkSync(join(place, one.path)).startsWith(seenAt)
  return inside.some(leads) || (await mentions(place, roots, [seenAt]))
}

function changedIn(place: string, seen: Seen[], { lines }: Before): string | null {
  const found = new Set(seen.map(({ path }) => path))
  const gone = [...lines.keys()].find((path) => !found.has(path))
  const other = seen.find((one) => lines.has(one.path) && lines.get(one.path) !== stampOf(place, one))
  return gone ?? other?.path ?? null
}

/** A folder changes with what is in it, which is looked at by itself. */
const stampOf = (place: string, one: Seen): string => (one.stat.isDirectory() ? 'folder' : fileLine(place, one))

async function treeOf(place: string, root: string): Promise<Seen[]> {
  const stat = lstatSync(join(place, root))
  const inside = stat.isDirectory() ? await walk(join(place, root)) : []
  return [{ path: root, stat }, ...inside.map((one) => ({ ...one, path: `${root}/${one.path}` }))]
}

/** By its name into the place, which another place does not have; or out of it, to what is elsewhere from there. */
function leadsAway(place: string, path: string): boolean {
  const target = readlinkSync(join(place, path))
  if (isAbsolute(target))
    return [place, realpathSync(place)].some((root) => target === root || target.startsWith(`${root}/`))
  let depth = path.split('/').length - 1
  for (const name of target.split('/')) {
    if (name === '..') depth--
    else if (name !== '' && name !== '.') depth++
    if (depth < 0) return true
  }
  return false
}

/** In its texts and programs: a virtual environment, for one, works only where it was made. Unsure counts as yes. */
async function mentions(place: string, roots: string[], names: string[]): Promise<boolean> {
  for (const some of chunks(roots)) if (await anyMentions(place, some, names)) return true
  return false
}

function anyMentions(place: string, roots: string[], names: string[]): Promise<boolean> {
  const args = ['-rqF', ...names.flatMap((name) => ['-e', name]), '--', ...roots]
  const env = { PATH: process.env.PATH ?? '', LC_ALL: 'C' }
  return new Promise((done) => execFile('grep', args, { cwd: place, env }, (error) => done(error?.code !== 1)))
}
