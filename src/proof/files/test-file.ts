import { baseName, isFixture } from './change.ts'

const names: RegExp[] = [
  /\.(?:test|tests|spec|specs|e2e|cy|unit|integration)(?:-d)?\.[cm]?[jt]sx?$/,
  /^(?:tests?|spec)\.[cm]?[jt]sx?$/,
  /^(?:test_.*|.*_test|tests?)\.py$/,
  /_test\.go$/,
  /_(?:spec|test)\.rb$|^test_.*\.rb$/,
  /(?:Tests?|IT|Spec)\.(?:java|kt|kts|cs|scala|groovy|swift)$|^Test[A-Z].*\.(?:java|kt)$/,
  /Test\.php$|_test\.(?:exs|dart|c|cc|cpp|rs)$|^test_.*\.(?:c|cc|cpp)$|\.bats$|\.snap$/,
]

/** Also what products are called: only their content tells. */
const perhaps = /(?:^tests?[-_.].*|.*[-_]tests?)\.[cm]?[jt]sx?$/

const folders = /(?:^|\/)(?:__tests__|tests?|specs?|e2e)\//
const toolFolders = /(?:^|\/)(?:scripts?|tools?|build|ci|\.ci)\//

/** By the conventions of its language, something a runner takes for tests. */
export const isTestName = (path: string): boolean =>
  !isFixture(path) && !toolFolders.test(path) && names.some((name) => name.test(baseName(path)))

/** In a folder for tests: tests, or what they lean on. */
export const isInTestFolder = (path: string): boolean =>
  !isFixture(path) && folders.test(path) && !toolFolders.test(path)

/** Tests, or what they lean on, by name or folder. */
export const isTest = (path: string): boolean => isTestName(path) || isInTestFolder(path)

export const isData = (path: string): boolean => data.test(path)
const data = /\.(?:txt|md|rst|diff|patch|jsonc?|ya?ml|xml|html|csv|log|out|toml|svg|lock|sql)$/

/** An assertion where a statement or the body of an arrow begins, so that words about assertions are none. */
const asserts =
  /(?:^|=>|[;{(])[ \t]*(?:await\s+)?(?:(?:chai\.|self\.|t\.)?(?:assert|expect|should|refute)\w*(?:\.\w+)*!?\s*\(|(?:assert|refute)\w*[ \t]+\S)|\.should\./m

/** Not clearly named like tests, but is where tests are and asserts something, or is made of tests. */
export const looksLikeTests = (path: string, text: string): boolean =>
  (isInTestFolder(path) &&
    !data.test(path) &&
    (asserts.test(text) || holdsInlineTests(path, text) || isRustTarget(path, text))) ||
  (perhaps.test(baseName(path)) &&
    !isFixture(path) &&
    !toolFolders.test(path) &&
    /\b(?:test|it|describe|suite)\s*[.(]/.test(text))

/** Cargo runs each file there as a test, and believes what it prints; but for one that only lends something to others. */
const isRustTarget = (path: string, text: string): boolean =>
  /(?:^|\/)tests\/[^/]+\.rs$/.test(path) && (/^\s*fn main\(/m.test(text) || !/^\s*(?:pub|macro_rules!)/m.test(text))

/** Rust keeps tests beside the code. */
export const holdsInlineTests = (path: string, text: string): boolean =>
  path.endsWith('.rs') && /#\[(?:\w+::)*(?:test|rstest)\b/.test(text)

/** Tests and examples that are executed, in the file that they are about. */
export const holdsOwnTests = (path: string, text: string): boolean =>
  holdsInlineTests(path, text) ||
  (path.endsWith('.rs') && /^\s*\/\/[/!] ```/m.test(text)) ||
  (path.endsWith('.py') && /^\s*>>> /m.test(text)) ||
  /\bimport\.meta\.vitest\b/.test(text)

/** Named like tests, and a runner finds none in it: an empty file, or Go that `go test` compiles and never calls. */
export const holdsNoTests = (path: string, text: string): boolean =>
  text.trim() === '' ||
  (path.endsWith('.py') && /^(?:[ \t]*(?:#[^\n]*)?(?:\r?\n|$))*$/.test(text)) ||
  (path.endsWith('_test.go') && !calledByGo.test(text))

/** Methods are tests of a suite, and an example counts with what it is to print. */
const calledByGo =
  /^func\s+(?:\([^)\n]*\)\s*)?(?:Test|Fuzz)\w*\s*[[(]|^\s*\/\/\s*(?:unordered )?output:|^func\s+init\s*\(|^var\s+_\s*=\s*\w/im

export type Language = 'js' | 'python' | 'ruby' | 'braces' | 'other'

export function languageOf(path: string): Language {
  if (/\.(?:[cm]?[jt]sx?|dart)$/.test(path)) return 'js'
  if (path.endsWith('.py')) return 'python'
  if (/\.(?:rb|exs?)$/.test(path)) return 'ruby'
  return /\.(?:go|rs|java|kts?|cs|scala|groovy|swift|php|c|cc|cpp|h)$/.test(path) ? 'braces' : 'other'
}

export type Grammar = 'javascript' | 'typescript' | 'tsx' | 'python' | 'go' | 'rust'

/** A node of a syntax tree, by its kind and its place in the text. */
export interface NodeSpan {
  kind: string
  start: number
  end: number
}

/** Reads code by its structure. It never throws for what the code says: what does not parse has nodes called `ERROR`. */
export interface CodeReader {
  /** All nodes of these kinds, outer before inner; null where the grammar could not be loaded. */
  nodes(grammar: Grammar, text: string, kinds: readonly string[]): NodeSpan[] | null
  /** What could not be loaded, and what that means, for the report. */
  concerns: readonly string[]
}

export function grammarOf(path: string): Grammar | null {
  if (/\.[cm]?jsx?$/.test(path)) return 'javascript'
  if (/\.[cm]?ts$/.test(path)) return 'typescript'
  if (path.endsWith('.tsx')) return 'tsx'
  if (path.endsWith('.py')) return 'python'
  if (path.endsWith('.go')) return 'go'
  return path.endsWith('.rs') ? 'rust' : null
}
