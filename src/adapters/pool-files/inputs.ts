// What the result of a set-up command depends on, where that can be told.
import { covers } from '../../std/glob.ts'

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

export type Inputs = { of: 'files'; isInput: (path: string) => boolean } | { of: 'place' } | { of: 'nobody-knows' }

/**
 * Only commands that install what a lock file names, and nothing else, are known; the others may start a database or
 * look at the clock, so each place runs them by itself, unless the settings say what they read.
 */
export function inputsOf(
  { run, reads }: { run: string; reads: string[] },
  files: string[],
  manifestTexts: string[],
): Inputs {
  if (reads.length > 0) return { of: 'files', isInput: (path) => reads.some((pattern) => covers(pattern, path)) }
  const commands = run.split(/&&|;|\n/).map((command) => command.trim().replace(/\s+/g, ' '))
  const known = commands.every((command) => installers.some((installer) => installer.test(command)))
  if (!known || !files.some((file) => locks.test(file))) return { of: 'nobody-knows' }
  const scripts = !/--ignore-scripts\b/.test(run) && manifestTexts.some(runsCode)
  if (scripts || manifestTexts.some(copiesSources)) return { of: 'place' }
  return { of: 'files', isInput: (path) => locks.test(path) || manifests.test(path) || folders.test(path) }
}

export const isManifest = (path: string): boolean => /(?:^|\/)package\.json$/.test(path)

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
  const found = parsed(manifest)
  const parts = keys.map((key) => (found as Record<string, unknown> | null)?.[key])
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
