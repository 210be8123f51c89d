import type { Finding } from '../../delivery/judging/finding.ts'
import { baseName, type Change } from '../files/change.ts'
import { report } from '../inspection/report.ts'

/** Packages that the change adds and the story does not speak of. */
export function dependencyFindings(changes: readonly Change[], wanted: (name: string) => boolean): Finding[] {
  return changes.flatMap((change) => {
    const before = dependenciesIn(change.path, change.before)
    const added = [...dependenciesIn(change.path, change.after)].filter((name) => !before.has(name))
    return added
      .filter((name) => !wanted(name))
      .map((name) =>
        report({
          rule: 'dependency-added',
          file: change.path,
          what: name,
          severity: 'suggestion',
          message: `adds the dependency ${name}, which the story does not ask for`,
        }),
      )
  })
}

/** Names of what a manifest depends on; none for other files. */
export function dependenciesIn(path: string, text: string | null): Set<string> {
  if (text === null) return new Set()
  const name = baseName(path)
  if (name === 'package.json') return new Set(inPackageJson(text))
  if (name === 'go.mod') return new Set(all(text, /^[ \t]*(?:require\s+)?([\w-]+(?:\.[\w-]+)+\/\S+)[ \t]+v\d/gm))
  if (name === 'Cargo.toml') return new Set(inSections(text, /^(?:[\w.'"()-]+\.)?(?:dev-|build-)?dependencies$/))
  if (name === 'pyproject.toml') return new Set(inPyproject(text))
  if (/^(?:requirements|constraints).*\.(?:txt|in)$/.test(name))
    return new Set(all(text, /^[ \t]*([A-Za-z0-9][\w.-]*)/gm))
  if (name === 'Gemfile') return new Set(all(text, /^[ \t]*gem\s+['"]([^'"]+)/gm))
  return new Set()
}

function inPackageJson(text: string): string[] {
  try {
    const manifest = JSON.parse(text) as Record<string, Record<string, string> | undefined>
    const sections = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies']
    return sections.flatMap((section) => Object.keys(manifest[section] ?? {}))
  } catch {
    return []
  }
}

/** Keys of the tables whose name fits; `[dependencies.name]` is one by itself. */
function inSections(text: string, fits: RegExp): string[] {
  let inside = false
  return text.split('\n').flatMap((line) => {
    const header = /^\s*\[{1,2}([^[\]]+)\]/.exec(line)?.[1]?.trim()
    if (header !== undefined) {
      inside = fits.test(header)
      const single = /^(.*)\.([^.]+)$/.exec(header)
      return single !== null && fits.test(single[1]!) ? [single[2]!] : []
    }
    const key = inside ? /^\s*['"]?([\w.-]+)['"]?\s*=/.exec(line)?.[1] : undefined
    return key === undefined ? [] : [key]
  })
}

const inPyproject = (text: string): string[] => [
  ...inSections(text, /^tool\.poetry(?:\.group\.[\w-]+)?\.(?:dev-)?dependencies$/).filter((name) => name !== 'python'),
  ...[...text.matchAll(/^[ \t]*(?:[\w-]*dependencies|[\w-]+)[ \t]*=\s*\[([^\]]*)\]/gm)]
    .filter((found) => /dependencies/.test(found[0]) || inOptional(text, found.index))
    .flatMap((found) => all(found[1]!, /['"]\s*([A-Za-z0-9][\w.-]*)/g)),
]

const inOptional = (text: string, at: number): boolean =>
  /^[ \t]*\[(?:project\.optional-dependencies|dependency-groups)\]/.test(
    text
      .slice(0, at)
      .match(/^[ \t]*\[[^\]\n]+\].*$/gm)
      ?.at(-1) ?? '',
  )

const all = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map((found) => found[1]!)
