// What the change holds besides what was asked for. Only a flood of reformatted files beside other work holds it back.
import type { Finding } from '../../delivery/judging/finding.ts'
import { coversAny } from '../../std/glob.ts'
import { objectOf, parseJson } from '../../std/json.ts'
import { baseName, type Change } from '../files/change.ts'
import { onlyFormChanged } from '../files/form.ts'
import { objection } from './objection.ts'

export interface Scope {
  changes: readonly Change[]
  story: {
    title: string
    description: string
    criteria: readonly string[]
    files: readonly string[]
    mayChange: readonly string[]
  }
}

export function scopeFindings({ changes, story }: Scope): Finding[] {
  const words = [story.title, story.description, ...story.criteria].join('\n').toLowerCase()
  const others = changes.filter(({ path }) => !coversAny([...story.files, ...story.mayChange], path))
  const formats = /\b(?:format|reformat|prettier|biome|black|gofmt|rustfmt|indent|quotes?|semicolons?|lint)/.test(words)
  return [
    ...(formats ? [] : reformattingFindings(changes, others)),
    ...changes.flatMap((change) => dependencyFindings(change, words)),
    ...generatedFindings(others),
  ]
}

export const saysGenerated = (text: string): boolean =>
  /@generated\b|\bDO NOT EDIT\b|\bautomatically generated\b/i.test(text.slice(0, 2_000))

const mostReformatted = 10

/** Files in which nothing changed but their form, when they are many: nobody can see the change among them. */
function reformattingFindings(changes: readonly Change[], others: readonly Change[]): Finding[] {
  const formal = others.filter(onlyFormChanged)
  if (formal.length <= mostReformatted) return []
  // To format is good work, where it is the work.
  const isBeside = changes.some((change) => !onlyFormChanged(change) && !isBesideForm.test(change.path))
  const files = formal.slice(0, 8).map(({ path }) => path)
  return [
    objection({
      rule: 'mass-reformatting',
      file: formal[0]!.path,
      severity: isBeside ? 'important' : 'suggestion',
      message: `${formal.length} files that the story is not about were only reformatted; put them back as they were`,
      evidence: `${files.join('\n')}\n…`,
    }),
  ]
}

/** Formatters come with their own settings, and are told of in documents; a new header comes with a new licence. */
const isBesideForm =
  /\.(?:md|rst|txt|ya?ml|toml|jsonc?|lock)$|(?:^|\/)(?:\.[^/]+|(?:LICEN[CS]E|COPYING|NOTICE|AUTHORS|CHANGE(?:S|LOG))[^/]*)$/

/** Files that say that they are made by a tool, changed while nothing they could be made from was. */
function generatedFindings(changes: readonly Change[]): Finding[] {
  if (!changes.every(({ before }) => before !== null && saysGenerated(before))) return []
  return changes.map(({ path }) =>
    objection({
      rule: 'generated-file',
      file: path,
      severity: 'suggestion',
      message: 'this file says that it is generated; what it is made from was not changed',
    }),
  )
}

/** Packages that the change adds and the story does not speak of. */
function dependencyFindings({ path, before, after }: Change, words: string): Finding[] {
  const known = new Set(dependenciesIn(path, before))
  const added = new Set(dependenciesIn(path, after).filter((name) => !known.has(name)))
  return [...added]
    .filter((name) => !words.includes(name.toLowerCase()))
    .map((name) =>
      objection({
        rule: 'dependency-added',
        file: path,
        what: name,
        severity: 'suggestion',
        message: `adds the dependency ${name}, which the story does not ask for`,
      }),
    )
}

/** Names of what a manifest depends on; none for other files. */
export function dependenciesIn(path: string, text: string | null): string[] {
  const read = manifests.find(([names]) => names.test(baseName(path)))?.[1]
  return text === null || read === undefined ? [] : read(text)
}

const manifests: [names: RegExp, read: (text: string) => string[]][] = [
  [/^package\.json$/, inPackageJson],
  [/^go\.mod$/, (text) => all(text, /^[ \t]*(?:require\s+)?([\w-]+(?:\.[\w-]+)+\/\S+)[ \t]+v\d/gm)],
  [/^Cargo\.toml$/, (text) => inSections(text, /^(?:[\w.'"()-]+\.)?(?:dev-|build-)?dependencies$/)],
  [/^pyproject\.toml$/, inPyproject],
  [/^(?:requirements|constraints).*\.(?:txt|in)$/, (text) => all(text, /^[ \t]*([A-Za-z0-9][\w.-]*)/gm)],
]

function inPackageJson(text: string): string[] {
  const manifest = objectOf(parseJson(text))
  const sections = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies']
  return sections.flatMap((section) => Object.keys(objectOf(manifest[section])))
}

/** Keys of the tables whose name fits; `[dependencies.name]` is one by itself. */
function inSections(text: string, fits: RegExp): string[] {
  let inside = false
  return text.split('\n').flatMap((line) => {
    const header = /^\s*\[{1,2}([^[\]]+)\]/.exec(line)?.[1]?.trim()
    if (header === undefined) return inside ? (/^\s*['"]?([\w.-]+)['"]?\s*=/.exec(line)?.[1] ?? []) : []
    inside = fits.test(header)
    const [, table, name] = /^(.*)\.([^.]+)$/.exec(header) ?? []
    return table !== undefined && fits.test(table) ? [name!] : []
  })
}

/** Poetry has tables of them; all others have lists, which are called so or stand in a section for such. */
function inPyproject(text: string): string[] {
  const lists = text.split(/^(?=[ \t]*\[)/m).flatMap((section) => {
    const isOptional = /^[ \t]*\[(?:project\.optional-dependencies|dependency-groups)\]/.test(section)
    return [...section.matchAll(/^[ \t]*([\w-]+)[ \t]*=\s*\[([^\]]*)\]/gm)]
      .filter(([, key]) => isOptional || key!.endsWith('dependencies'))
      .flatMap(([, , list]) => all(list!, /['"]\s*([A-Za-z0-9][\w.-]*)/g))
  })
  const tables = inSections(text, /^tool\.poetry(?:\.group\.[\w-]+)?\.(?:dev-)?dependencies$/)
  return [...tables.filter((name) => name !== 'python'), ...lists]
}

const all = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map((found) => found[1]!)
