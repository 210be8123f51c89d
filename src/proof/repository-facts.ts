import { objectOf, parseJson } from '../std/json.ts'
import { oneLine } from '../std/text/plain-text.ts'
import { isInTestFolder, isTestName } from './files/test-file.ts'
import { isManifest } from './related/tree.ts'

/** One line about a repository. */
export interface Fact {
  about: string
  text: string
}

const longest = 400

/** What was found, on one line and without anything that could move a cursor; empty when nothing was. */
export const fact = (about: string, found: string[]): Fact => ({ about, text: oneLine(found.join('; '), longest) })

export const listed = (items: string[]): string => items.join(', ')

/** The most frequent ones; of equals the first in the alphabet, so that the same input gives the same facts. */
export function mostOf(items: readonly string[], limit: number): [string, number][] {
  const counts = new Map<string, number>()
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1)
  return [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).slice(0, limit)
}

/** What the files themselves say about a repository: their names, and the few texts that are worth reading. */
export function staticFacts(files: readonly string[], texts: ReadonlyMap<string, string>): Fact[] {
  const own = files.filter((path) => !foreign.test(path))
  return [
    fact('languages', mostOf(own.flatMap(languageOf), 6).map(counted)),
    fact(
      'layout',
      mostOf(own.flatMap(topFolder), 12).map(([name, count]) => `${name}/ (${count})`),
    ),
    fact('packages', own.filter((path) => isManifest(path) && path.includes('/')).slice(0, 12)),
    fact('commands', commandsIn(texts)),
    fact('depends on', dependenciesIn(texts)),
    fact('tests', testsAmong(own)),
    fact('rules in', own.filter((path) => rules.test(path)).slice(0, 12)),
    fact('tools', own.filter((path) => tools.test(path)).slice(0, 12)),
  ].filter(({ text }) => text !== '')
}

/** Of which the text is asked for; few, whatever the repository holds. */
export const isWorthReading = (path: string): boolean => ['package.json', 'Makefile', 'justfile'].includes(path)

const foreign = /(?:^|\/)(?:node_modules|vendor|\.venv|site-packages|dist|build|target|\.git)\//
const rules = /(?:^|\/)(?:AGENTS|CLAUDE|CONTRIBUTING|CONVENTIONS|STYLE|ARCHITECTURE|GLOSSARY)\.md$/i
const tools =
  /^(?:biome\.jsonc?|\.eslintrc[^/]*|eslint\.config\.[cm]?[jt]s|\.prettierrc[^/]*|\.editorconfig|ruff\.toml|\.golangci\.ya?ml|rustfmt\.toml|tsconfig\.json|vitest\.config\.[cm]?[jt]s|jest\.config\.[cm]?[jt]s|pytest\.ini|tox\.ini|Dockerfile|docker-compose\.ya?ml)$/

const languages: [name: string, endings: string[]][] = [
  ['TypeScript', ['ts', 'tsx', 'mts']],
  ['JavaScript', ['js', 'jsx', 'mjs', 'cjs']],
  ['Python', ['py']],
  ['Go', ['go']],
  ['Rust', ['rs']],
  ['Ruby', ['rb']],
  ['Java', ['java']],
  ['Kotlin', ['kt']],
  ['C#', ['cs']],
  ['PHP', ['php']],
  ['C', ['c', 'h']],
  ['C++', ['cc', 'cpp']],
  ['Swift', ['swift']],
  ['shell', ['sh']],
  ['SQL', ['sql']],
  ['CSS', ['css']],
  ['HTML', ['html']],
  ['Vue', ['vue']],
  ['Svelte', ['svelte']],
]

function languageOf(path: string): string[] {
  const ending = path.includes('.') ? path.slice(path.lastIndexOf('.') + 1).toLowerCase() : ''
  return languages.flatMap(([name, endings]) => (endings.includes(ending) ? [name] : []))
}

const counted = ([name, count]: [string, number]): string => `${name} (${count} ${count === 1 ? 'file' : 'files'})`

const topFolder = (path: string): string[] => (path.includes('/') ? [path.slice(0, path.indexOf('/'))] : [])

function commandsIn(texts: ReadonlyMap<string, string>): string[] {
  const scripts = inManifest(texts, 'scripts').slice(0, 20)
  const targets = [...(texts.get('Makefile') ?? texts.get('justfile') ?? '').matchAll(/^([a-z][\w-]*)\s*:(?!=)/gm)]
  const made = [...new Set(targets.map(([, target]) => target!))].slice(0, 20)
  return [
    ...(scripts.length === 0 ? [] : [`scripts of package.json: ${listed(scripts)}`]),
    ...(made.length === 0 ? [] : [`targets of make: ${listed(made)}`]),
  ]
}

const dependenciesIn = (texts: ReadonlyMap<string, string>): string[] => inManifest(texts, 'dependencies').slice(0, 30)

function testsAmong(files: readonly string[]): string[] {
  const tests = files.filter((path) => isTestName(path))
  if (tests.length === 0) return []
  const inFolders = tests.filter((path) => isInTestFolder(path))
  const beside = tests.length - inFolders.length
  const folders = mostOf(
    inFolders.map((path) => path.replace(/\/[^/]*$/, '/')),
    3,
  ).map(([folder]) => folder)
  return [
    ...(beside === 0 ? [] : [`${beside} beside their sources, such as ${tests.find((path) => !isInTestFolder(path))}`]),
    ...(inFolders.length === 0 ? [] : [`${inFolders.length} in folders of their own: ${listed(folders)}`]),
  ]
}

const inManifest = (texts: ReadonlyMap<string, string>, key: string): string[] =>
  Object.keys(objectOf(objectOf(parseJson(texts.get('package.json') ?? ''))[key]))

/** A commit, with the files that it changed. */
export interface PastChange {
  author: string
  subject: string
  files: string[]
}

/** Commits that touch more files than this are sweeps: they say nothing about what belongs together. */
const sweep = 20
const fewest = 3

/** What the last commits, the latest first, say about how a repository changes. */
export function historyFacts(changes: readonly PastChange[]): Fact[] {
  if (changes.length === 0) return []
  const focused = changes.filter(({ files }) => files.length <= sweep)
  const authors = new Set(changes.map(({ author }) => author)).size
  return [
    fact('activity', [`the last ${changes.length} commits are by ${authors} ${authors === 1 ? 'author' : 'authors'}`]),
    fact('commit messages', [messageHabit(changes.map(({ subject }) => subject))]),
    fact('change often', often(changes.flatMap(({ files }) => files)).map(times)),
    fact('change together', together(focused)),
    fact(
      'mended often',
      often(changes.filter(({ subject }) => mends.test(subject)).flatMap(({ files }) => files)).map(times),
    ),
    fact(
      'taken back',
      changes
        .filter(({ subject }) => /^revert\b/i.test(subject))
        .slice(0, 3)
        .map(({ subject }) => subject),
    ),
  ].filter(({ text }) => text !== '')
}

const mends = /\b(?:fix(?:es|ed)?|bug(?:s|fix)?|mend(?:s|ed)?|hotfix|regression|crash(?:es)?)\b/i

const often = (files: string[]): [string, number][] => mostOf(files, 10).filter(([, count]) => count >= fewest)

const times = ([file, count]: [string, number]): string => `${file} (${count} times)`

/** Pairs of which the rarer one seldom changes without the other. */
function together(changes: PastChange[]): string[] {
  const each = new Map(
    mostOf(
      changes.flatMap(({ files }) => [...new Set(files)]),
      Number.POSITIVE_INFINITY,
    ),
  )
  const pairs = changes.flatMap(({ files }) => {
    const known = [...new Set(files)].filter((file) => (each.get(file) ?? 0) >= fewest).sort()
    return known.flatMap((one, index) => known.slice(index + 1).map((other) => `${one}\0${other}`))
  })
  return mostOf(pairs, 40)
    .filter(([pair, count]) => {
      const rarer = Math.min(...pair.split('\0').map((file) => each.get(file) ?? 0))
      return count >= fewest && count / rarer >= 0.6
    })
    .slice(0, 8)
    .map(([pair, count]) => `${pair.replace('\0', ' with ')} (${count} times)`)
}

function messageHabit(subjects: string[]): string {
  const typed = subjects
    .map((subject) => /^([a-z]+)(?:\([^)]*\))?!?: /.exec(subject)?.[1])
    .filter((type) => type !== undefined)
  if (typed.length / subjects.length >= 0.6)
    return `a type and a colon first (${listed(mostOf(typed, 6).map(([type]) => type))})`
  const lengths = subjects.map(({ length }) => length).sort((a, b) => a - b)
  return `plain sentences of about ${lengths[Math.floor(lengths.length / 2)]} characters, such as "${subjects[0]}"`
}
