import { isTest, type Module } from './module.ts'

/** Event types as they are declared. */
export const eventTypes = (events: string): string[] => [
  ...new Set([...events.matchAll(/\btype: '(\w+)'/g)].map((found) => found[1]!)),
]

/** Types that this source has no case for. */
export const unknownIn = (types: string[], source: string): string[] =>
  types.filter((type) => !new RegExp(`\\bcase '${type}'|\\b${type}:|\\b${type}\\(`).test(source))

const groups = ['limits', 'ceilings', 'routing', 'roles', 'setup']

/** Settings that nobody outside the settings themselves asks for. Keys as `agents.*.driver`. */
export function unreadSettings(keys: string[], modules: Module[]): string[] {
  const readers = modules.filter(
    ({ path }) =>
      !/^src\/settings\/|^src\/delivery\/policy\.ts$/.test(path) && path.startsWith('src/') && !isTest(path),
  )
  return keys.filter((key) => !readers.some(({ code }) => asksFor(key, code)))
}

/** `limits.agents`, `{ agents } = … limits`, or, where the group's name says nothing, `.driver` or `{ driver }`. */
function asksFor(key: string, code: string): boolean {
  const [group = '', ...rest] = key.split('.')
  const name = key.includes('.models.') ? 'models' : (rest.at(-1) ?? group)
  const taken = `\\{[^{}]*\\b${name}\\b[^{}]*\\}`
  if (rest.length === 0 || !groups.includes(group)) return new RegExp(`\\.${name}\\b|${taken}\\s*[=:)]`).test(code)
  return new RegExp(`\\b${group}\\??\\.${name}\\b|${taken}\\s*[=:][^;\\n]*\\b(?:${group}|${title(group)})\\b`).test(
    code,
  )
}

const title = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

/** The rows of a guide's tables about settings. */
function rowsOf(guide: string): { key: string; cell: string }[] {
  const settings = guide.slice(0, guide.indexOf('## The plan file') >>> 0)
  return [...settings.matchAll(/^\| `([^`]+)` \|([^|]*)\|/gm)].map(([, key = '', cell = '']) => ({
    key: key.replace('<name>', '*'),
    cell: cell.trim(),
  }))
}

/** Where the guide gives another default than the code. A value that is nothing may be told in any words. */
export function wrongDefaults(defaults: Record<string, unknown>, guide: string): string[] {
  return rowsOf(guide).flatMap(({ key, cell }) =>
    key in defaults && !tells(cell, defaults[key])
      ? [`the guide says that ${key} is ${cell}; it is ${JSON.stringify(defaults[key])}`]
      : [],
  )
}

function tells(cell: string, value: unknown): boolean {
  if (typeof value === 'number') return new RegExp(`^${value}(?: \\(|$)`).test(cell)
  const isNothing = value === null || Object.keys(Object(value)).length === 0
  if (isNothing && typeof value !== 'boolean') return !/^(?:`(?!null`)[^`]*`$|\d)/.test(cell)
  const words = Array.isArray(value) ? value.map(String) : [String(value)]
  const said = [...cell.matchAll(/`\[?([^`\]]+)\]?`/g)].flatMap(([, word]) => word!.split(', '))
  return words.every((word, at) => said[at] === word)
}

/** What a guide's tables say about settings: every key once, with a default. */
export function guideProblems(keys: string[], guide: string): string[] {
  const said = rowsOf(guide)
  return [
    ...keys.filter((key) => !said.some((row) => row.key === key)).map((key) => `${key} is not in the guide`),
    ...said.filter(({ key }) => !keys.includes(key)).map(({ key }) => `the guide names ${key}, which does not exist`),
    ...said.filter(({ cell }) => cell === '').map(({ key }) => `the guide gives no default for ${key}`),
  ]
}

/** Packages for other platforms that the lock file forgot, as it does where a registry does not serve them. */
export function missingFromLock(lock: string): string[] {
  const { packages } = JSON.parse(lock) as { packages: Record<string, { optionalDependencies?: object }> }
  return Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies)
      .filter((name) => !(`node_modules/${name}` in packages) && !(`${path}/node_modules/${name}` in packages))
      .map((name) => `${path} wants ${name}`),
  )
}
