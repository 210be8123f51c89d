import { objectOf, parseJson } from '../../std/json.ts'
import { isInTestFolder, isTestName } from '../files/test-file.ts'
import { isManifest } from '../related/tree.ts'
import { type Fact, fact, listed, mostOf } from './fact.ts'

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
