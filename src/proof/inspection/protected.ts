import type { Finding } from '../../delivery/judging/finding.ts'
import { coversAny } from '../../std/glob.ts'
import { canonical } from '../../std/hash.ts'
import { baseName, type Change, isFixture, pathBefore, pathsOf } from '../files/change.ts'
import { protectedKind } from '../files/protected-paths.ts'
import { parseJson, type ScriptClosure, scriptsOf } from '../files/script-closure.ts'
import { addedLines } from '../scope/added-lines.ts'
import { startsAtOnce } from './by-itself.ts'
import { report } from './report.ts'

/** Changes to what decides how work is judged. A story may do so only when its plan said so and was approved. */
export function protectedFindings(
  changes: readonly Change[],
  { closure, protect }: { closure: ScriptClosure; protect: readonly string[] },
): Finding[] {
  return changes.flatMap((change) =>
    reasonsFor(change, closure, protect).map((reason) =>
      report({
        rule: 'protected-file',
        file: change.path,
        line: 1,
        evidence: pathsOf(change).join(' -> '),
        what: reason,
        message: `${reason}; undo this change, or have the story declare it under mayChange`,
      }),
    ),
  )
}

function reasonsFor(change: Change, closure: ScriptClosure, protect: readonly string[]): string[] {
  const paths = pathsOf(change)
  if (paths.some((path) => coversAny(protect, path))) return ['this file is protected by the settings']
  if (paths.some((path) => closure.files.has(path))) return ['this file is part of how the checks are run']
  const kind = paths.flatMap((path) => protectedKind(path) ?? [])[0]
  if (kind !== undefined && !isFixture(change.path)) return [`this file is ${kind}`]
  if (paths.some(isFixture)) return []
  if (startsAtOnce(change)) return ['this runs a program as soon as somebody opens the folder or starts Python']
  const name = baseName(change.path)
  if (name === '.gitattributes') return filtersIn(change)
  if (name === 'package-lock.json' || name === 'npm-shrinkwrap.json') return installersIn(change)
  return baseName(pathBefore(change)) === 'package.json' ? inManifest(change, closure) : []
}

/** Git runs a filter wherever the files are checked out. */
const filtersIn = (change: Change): string[] =>
  addedLines(change).some(({ text }) => /\sfilter=(?!lfs\b)/.test(text))
    ? ['git would run a filter on these files']
    : []

/** Of the packages that are new, those that run a program wherever they are installed. */
function installersIn({ before, after }: Change): string[] {
  const known = installersOf(before)
  return [...installersOf(after)]
    .filter((name) => !known.has(name))
    .map((name) => `the package "${name}" runs a script of its own when it is installed`)
}

function installersOf(text: string | null): Set<string> {
  const { packages } = Object(parseJson(text ?? '')) as { packages?: Record<string, { hasInstallScript?: boolean }> }
  const all = Object.entries(packages ?? {}).filter(([path, entry]) => path !== '' && entry?.hasInstallScript === true)
  return new Set(all.map(([path]) => path.replace(/^.*node_modules\//, '')))
}

const installing = ['preinstall', 'install', 'postinstall']

const runners = ['jest', 'mocha', 'ava', 'vitest', 'tap', 'c8', 'nyc']

/** Of a package.json: the scripts that the checks reach, and what test runners read there. All else is free. */
function inManifest(change: Change, closure: ScriptClosure): string[] {
  const reached = closure.scripts.get(pathBefore(change)) ?? new Set<string>()
  if (change.status === 'deleted' || change.oldPath !== null)
    return reached.size > 0 ? ['the checks need this package.json'] : []
  const after = parseJson(change.after ?? '') as Record<string, unknown> | null
  if (after === null || typeof after !== 'object') return ['this package.json cannot be read any more']
  if (change.before === null && reached.size === 0) return []
  const before = (parseJson(change.before ?? '') ?? {}) as Record<string, unknown>
  const [had, has] = [scriptsOf(change.before), scriptsOf(change.after)]
  return [
    ...installing
      .filter((name) => has[name] !== undefined && had[name] !== has[name])
      .map((name) => `the script "${name}" runs whenever it is installed`),
    ...[...reached, ...(change.before === null ? [] : closure.scriptsAnywhere)]
      .filter((name) => had[name] !== has[name])
      .map((name) => `the script "${name}" is part of how the checks are run`),
    ...runners
      .filter((key) => canonical(before[key]) !== canonical(after[key]))
      .map((key) => `the section "${key}" of package.json is test configuration`),
  ]
}
