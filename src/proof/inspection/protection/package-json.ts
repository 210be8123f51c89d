import { canonical } from '../../../std/hash.ts'
import { baseName, type Change, pathBefore } from '../change.ts'
import { parseJson, type ScriptClosure, scriptsOf } from '../script-closure.ts'

const installScripts = ['preinstall', 'install', 'postinstall', 'prepublish', 'preprepare', 'prepare', 'postprepare']
const sections =
  'jest mocha ava c8 nyc vitest tap standard xo eslintConfig eslintIgnore prettier stylelint husky lint-staged simple-git-hooks pnpm trustedDependencies'.split(
    ' ',
  )

/** What of a package.json or its lock file decides how work is judged. Dependencies and other scripts are free. */
export function packageChanges(change: Change, closure: ScriptClosure): string[] {
  const name = baseName(pathBefore(change))
  if (name === 'package.json' || baseName(change.path) === 'package.json') return manifestChanges(change, closure)
  if (name === 'pnpm-workspace.yaml') return buildersIn(change)
  return isLock.test(name) ? [...lockChanges(change), ...strangeSources(change)] : []
}

const isLock =
  /^(?:package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|yarn\.lock|bun\.lock|poetry\.lock|uv\.lock|Pipfile\.lock|Cargo\.lock|composer\.lock|Gemfile\.lock)$/

/** A package from another place than all others were from may be another package. */
function strangeSources({ before, after }: Change): string[] {
  if (before === null) return []
  const known = hostsIn(before)
  const fresh = [...hostsIn(after ?? '')].filter((host) => !known.has(host))
  return known.size === 0 ? [] : fresh.map((host) => `packages come from ${host} now, from where none came before`)
}

const sourceLine =
  /\b(?:resolved|tarball|source|url|registry|remote)\b["']?\s*[:= ]\s*[^\n]{0,80}?\bhttps?:\/\/([\w.-]+)/g

const hostsIn = (text: string): Set<string> => new Set([...text.matchAll(sourceLine)].map((found) => found[1]!))

/** pnpm runs the install scripts only of those that are listed. */
function buildersIn({ before, after }: Change): string[] {
  const listed = (text: string | null): string[] =>
    [
      ...(text ?? '').matchAll(
        /^(?:onlyBuiltDependencies|neverBuiltDependencies|dangerouslyAllowAllBuilds|allowBuilds):[^\n]*(?:\n[ \t]+[^\n]*|\n-[^\n]*)*/gm,
      ),
    ].map((found) => found[0].replace(/\s+/g, ' '))
  return canonical(listed(before)) === canonical(listed(after))
    ? []
    : ['it decides which packages run scripts of their own when they are installed']
}

function manifestChanges(change: Change, closure: ScriptClosure): string[] {
  const path = pathBefore(change)
  const reached = new Set([...(closure.scripts.get(path) ?? []), ...closure.scriptsAnywhere])
  const gone = change.status === 'deleted' || (change.oldPath !== null && change.oldPath !== change.path)
  if (gone) return reached.size > 0 && closure.scripts.has(path) ? ['the checks need this package.json'] : []
  const after = parseJson(change.after ?? '')
  if (after === null || typeof after !== 'object') return ['this package.json cannot be read any more']
  const before = (parseJson(change.before ?? '') ?? {}) as Record<string, unknown>
  return [
    ...scriptChanges(change, reached, closure.scripts.get(path) ?? new Set()),
    ...sectionChanges(before, after as Record<string, unknown>, change.before !== null),
  ]
}

function scriptChanges(change: Change, reached: ReadonlySet<string>, named: ReadonlySet<string>): string[] {
  const before = scriptsOf(change.before)
  const after = scriptsOf(change.after)
  // Of a package that is not there yet only that counts which the checks name in this very package.
  const isFree = (name: string): boolean => change.before === null && !installScripts.includes(name) && !named.has(name)
  const watched = new Set([...reached, ...installScripts])
  return [...watched]
    .filter((name) => before[name] !== after[name] && !isFree(name))
    .map((name) =>
      installScripts.includes(name) && !reached.has(name)
        ? `the script "${name}" runs whenever dependencies are installed`
        : `the script "${name}" is part of how the checks are run`,
    )
}

function sectionChanges(before: Record<string, unknown>, after: Record<string, unknown>, existed: boolean): string[] {
  const changed = sections.filter((key) => canonical(before[key]) !== canonical(after[key]) && existed)
  const left = workspacesOf(after)
  const dropped = workspacesOf(before).filter((one) => !left.includes(one))
  return [
    ...changed.map((key) => `the section "${key}" of package.json is test or lint configuration`),
    ...dropped.map((one) => `without the workspace "${one}" its tests do not run`),
  ]
}

function workspacesOf(manifest: Record<string, unknown>): string[] {
  const { workspaces } = manifest
  const list = Array.isArray(workspaces) ? workspaces : (workspaces as { packages?: unknown } | undefined)?.packages
  return Array.isArray(list) ? list.map(String) : []
}

/** A dependency that runs a program when it is installed runs it in every clean place. */
function lockChanges(change: Change): string[] {
  const before = withInstallScript(change.before ?? '')
  const fresh = [...withInstallScript(change.after ?? '')].filter((name) => !before.has(name))
  return fresh.map((name) => `the package "${name}" runs a script of its own when it is installed`)
}

function withInstallScript(text: string): Set<string> {
  const packages = (parseJson(text) as { packages?: Record<string, { hasInstallScript?: boolean }> } | null)?.packages
  if (packages !== undefined && packages !== null)
    return new Set(
      Object.entries(packages)
        .filter(([path, entry]) => path !== '' && entry?.hasInstallScript === true)
        .map(([path]) => path.replace(/^.*node_modules\//, '')),
    )
  return new Set(
    [...text.matchAll(/^ {2}'?\/?([^\s':]+)[^\n]*:\n(?: {4}[^\n]*\n)*? {4}requiresBuild: true/gm)].map(
      (found) => found[1]!,
    ),
  )
}
