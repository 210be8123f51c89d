import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { lstatSync, readFileSync, readlinkSync, realpathSync, statSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { covers } from '../../std/glob.ts'
import { objectOf, parseJson } from '../../std/json.ts'
import { bytesOf, chunks, fileLine, notGit, type Seen, walk } from './copy.ts'

interface SetupFacts {
  run: string
  /** Globs of what it reads, where the settings tell. */
  reads: string[]
  environment: string
}

/** Of what the command, the machine and the files in the place are that decide about its result. */
export async function keyOf(place: string, setup: SetupFacts): Promise<string | null> {
  const seen = (await walk(place, notGit)).filter(({ stat }) => !stat.isDirectory())
  const isInput = chosen(place, setup, seen)
  if (isInput === null) return null
  const digest = createHash('sha256').update(JSON.stringify([setup.run, setup.reads, setup.environment]))
  for (const one of seen)
    if (isInput(one.path)) digest.update(`\0${one.path}\0${one.stat.mode}\0${contents(place, one)}`)
  return digest.digest('hex').slice(0, 40)
}

type IsInput = (path: string) => boolean

/** Null: nobody knows. */
function chosen(place: string, setup: SetupFacts, seen: Seen[]): IsInput | null {
  const files = seen.map(({ path }) => path)
  const plain = seen.filter(({ path, stat }) => stat.isFile() && isManifest(path))
  const texts = plain.map(({ path }) => readFileSync(join(place, path), 'utf8'))
  return inputsOf(setup, files, texts)
}

function contents(place: string, { path, stat }: Seen): string {
  const file = join(place, path)
  // What a link leads to is read, too; it need not be an input by its own name.
  const target = stat.isSymbolicLink() ? readlinkSync(file) : ''
  if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) return target
  return `${target}\0${createHash('sha256').update(readFileSync(file)).digest('hex')}`
}

const installers = [
  /^npm (?:ci|i|install|clean-install)(?: -\S+)*$/,
  /^pnpm (?:i|install)(?: -\S+)*$/,
  /^yarn(?: install)?(?: -\S+)*$/,
  /^bun (?:i|install)(?: -\S+)*$/,
  /^corepack enable$/,
]
const locks = /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|yarn\.lock|bun\.lockb?)$/
const manifests =
  /(?:^|\/)(?:package\.json|\.npmrc|\.yarnrc(?:\.yml)?|pnpm-workspace\.yaml|\.pnpmfile\.c?js|bunfig\.toml|\.nvmrc|\.node-version|\.tool-versions|\.?mise\.toml)$/
const folders = /(?:^|\/)(?:\.yarn|patches)\//

/**
 * Only commands that install what a lock file names, and nothing else, are known; the others may start a database or
 * look at the clock, so each place runs them by itself, unless the settings say what they read.
 */
function inputsOf({ run, reads }: SetupFacts, files: string[], manifestTexts: string[]): IsInput | null {
  if (reads.length > 0) return (path) => reads.some((pattern) => covers(pattern, path))
  const commands = run.split(/&&|;|\n/).map((command) => command.trim().replace(/\s+/g, ' '))
  const known = commands.every((command) => installers.some((installer) => installer.test(command)))
  if (!known || !files.some((file) => locks.test(file))) return null
  const scripts = !/--ignore-scripts\b/.test(run) && manifestTexts.some(runsCode)
  if (scripts || manifestTexts.some(copiesSources)) return () => true
  return (path) => locks.test(path) || manifests.test(path) || folders.test(path)
}

const isManifest = (path: string): boolean => /(?:^|\/)package\.json$/.test(path)

const hooksOnly =
  /^(?:(?:is-ci|node -e \S+) \|\| )?(?:husky(?: install)?|lefthook install|simple-git-hooks)(?: \|\| true)?$/

/** Scripts of the project's own that an installer runs: these may read any file. */
function runsCode(manifest: string): boolean {
  const scripts = part(manifest, ['scripts'])
  const names = ['preinstall', 'install', 'postinstall', 'prepublish', 'preprepare', 'prepare', 'postprepare']
  return names.some((name) => scripts[name] !== undefined && !hooksOnly.test(scripts[name]))
}

const copiesSources = (manifest: string): boolean =>
  Object.values(part(manifest, ['dependencies', 'devDependencies', 'optionalDependencies'])).some((wanted) =>
    /^(?:file|portal):/.test(wanted),
  )

function part(manifest: string, keys: string[]): Record<string, string> {
  const found = objectOf(parseJson(manifest))
  const entries = keys.flatMap((key) => Object.entries(objectOf(found[key])))
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
}

/** What each thing in a place was, by its path. */
type Before = Map<string, string>

/** How a place is before set-up runs in it. */
export async function look(place: string): Promise<Before> {
  const seen = await walk(place, notGit)
  return new Map(seen.map((one) => [one.path, stampOf(place, one)]))
}

/** `bound`: it works only at the path where it was seen. */
export type Product = { roots: string[]; bytes: number; bound: boolean } | { unmovable: string }

/** What set-up has made: the outermost things that were not there. What it changed besides those has no place but its own. */
export async function productOf(place: string, before: Before, seenAt: string | null): Promise<Product> {
  const isKnown = (path: string): boolean => before.has(path)
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

function changedIn(place: string, seen: Seen[], before: Before): string | null {
  const found = new Set(seen.map(({ path }) => path))
  const gone = [...before.keys()].find((path) => !found.has(path))
  const other = seen.find((one) => before.has(one.path) && before.get(one.path) !== stampOf(place, one))
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
