import { createHash } from 'node:crypto'
import { readFileSync, readlinkSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { covers } from '../../std/glob.ts'
import { notGit, type Seen, walk } from './walk.ts'

export interface SetupFacts {
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
  const found = parsed(manifest) as Record<string, unknown> | null
  const parts = keys.map((key) => found?.[key])
  const entries = parts.flatMap((one) => (one !== null && typeof one === 'object' ? Object.entries(one) : []))
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
