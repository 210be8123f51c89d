import type { CommitKind } from '../../delivery/judging/finding.ts'
import { coversAny } from '../../std/glob.ts'
import { folderOf, isFixture } from '../files/change.ts'
import type { ScriptClosure } from '../files/script-closure.ts'
import { isTest, isTestName } from '../files/test-file.ts'
import { isIntegration } from '../inspection/protected.ts'
import { usersOf } from '../related/import-graph.ts'
import { isTestFile } from '../related/related-tests.ts'
import { isCode, isManifest, isNamedAfter, type Tree } from '../related/tree.ts'

/** Whom a file serves: those who use the product, its tests, or the tools that test and build it. */
export interface Sorted {
  kind: 'product' | 'tests' | 'settings'
  because: string
}

export interface Sorting {
  /** What the checks and the set-up execute. */
  closure: Pick<ScriptClosure, 'files'>
  /** The user's own word, which wins. */
  tests: { material: readonly string[]; product: readonly string[] }
  /** Files that would be product by where they are, and assert or hold nothing but data: see `isDoubtful`. */
  doubtful?: ReadonlySet<string>
  /** Who needs whom. Null: nobody has looked, and what the names do not settle is taken for product. */
  tree: Tree | null
}

/** What is product and what is test material: by the settings, by names, and by who needs it. */
export function sortFiles(paths: readonly string[], sorting: Sorting): Map<string, Sorted> {
  const sorter = sorterOf(sorting, paths)
  return new Map(paths.map((path) => [path, sorter(path)]))
}

/** Whether names alone leave something open, so that the files must be read. */
export const needsTree = (paths: readonly string[], sorting: Omit<Sorting, 'tree'>): boolean =>
  paths.some((path) => byName(path, sorting).open)

interface Named extends Sorted {
  /** Who needs it may tell more. */
  open: boolean
}

/** A library of assertions, or a table of examples, may lie beside the product and serve nobody but tests; what only hands on is the product's door. */
export const isDoubtful = (path: string, text: string): boolean =>
  (path.endsWith('.go') && /^\s*(?:import\s+)?"testing"$/m.test(text)) ||
  (/(?<!__)\.py$/.test(path) && !/^\s*(?:async\s|def\b|class\b|import\b|from\b)|\blambda\b/m.test(text)) ||
  (/\.[cm]?[jt]s$/.test(path) &&
    (asserting.test(text) || !/=>|\b(?:function|class|import|require)\b|\bfrom\s*['"]/.test(text)))

const asserting = /['"](?:(?:node:)?assert(?:\/strict)?|node:test|chai|vitest|expect|@jest\/globals)['"]/

function byName(path: string, { closure, tests, doubtful }: Omit<Sorting, 'tree'>): Named {
  const settled = (kind: Sorted['kind'], because: string): Named => ({ kind, because, open: false })
  if (coversAny(tests.product, path)) return settled('product', 'is product by the setting tests.product')
  if (coversAny(tests.material, path)) return settled('tests', 'is test material by the setting tests.material')
  if (closure.files.has(path)) return settled('settings', 'is executed by the checks')
  if (isTestName(path) || /(?:^|\/)conftest\.py$|\.snap$|(?:^|[/_])tests?\.rs$/.test(path))
    return settled('tests', 'is named like tests')
  const setting = settingBecause(path)
  if (setting !== null) return settled('settings', setting)
  const folder = testFolder.exec(path)
  if (folder !== null) {
    const because = `is in ${path.slice(0, folder.index + folder[0].length)}, a folder for tests`
    // A product may have a part that is called so.
    return { kind: 'tests', because, open: isCode(path) && productFolder.test(path.slice(0, folder.index + 1)) }
  }
  const may = isCode(path)
    ? servesTests.test(path) || (!productFolder.test(path) && path.includes('/')) || doubtful?.has(path) === true
    : readAsData.test(path) && !isManifest(path) && !productFolder.test(path)
  return { kind: 'product', because: 'is neither tests nor a setting', open: may }
}

function sorterOf(sorting: Sorting, paths: readonly string[]): (path: string) => Sorted {
  const { tree } = sorting
  const known = new Map<string, Sorted>()
  const users = tree === null ? null : importersIn(tree, sorting.doubtful)
  let naming: ((word: string) => string[]) | null = null
  const sort = (path: string, above: ReadonlySet<string>): Sorted => {
    const found = known.get(path)
    if (found !== undefined) return found
    const named = byName(path, sorting)
    const needed = named.open && users !== null && tree !== null
    if (needed && !isCode(path)) naming ??= namingIn(paths, tree)
    const sorted = !needed ? plain(named) : isCode(path) ? byUsers(path, named) : byMention(path, naming!, sorting)
    if (above.size === 0) known.set(path, sorted)
    return sorted

    function byUsers(one: string, name: Named): Sorted {
      const text = tree!.texts.get(one) ?? null
      if (isTestFile(one, text)) return { kind: 'tests', because: 'is made of tests' }
      // Two that need each other serve whoever else needs them.
      const all = users!(one)
      const others = all.filter((user) => !above.has(user))
      if (all.length > others.length && others.length === 0) return { kind: 'tests', because: 'nobody else needs it' }
      const product = others.find((user) => sort(user, new Set([...above, one])).kind === 'product')
      if (product !== undefined) return { kind: 'product', because: `${product} needs it, which is product` }
      if (name.kind === 'tests' || others.length === 0) return plain(name)
      // What tests are named after is what they test.
      const subject = others.find((user) => isNamedAfter(user, one))
      if (subject !== undefined) return { kind: 'product', because: `${subject} is named after it` }
      return { kind: 'tests', because: `only tests need it: ${others.slice(0, 3).join(', ')}` }
    }
  }
  return (path) => sort(path, new Set())
}

const readAsData = /\.(?:txt|jsonc?|ya?ml|xml|html|csv|log|out|toml|sql)$|(?:^|\/)\.\w[\w.-]*$/

/** Data is read by names that code puts together: whoever names the file or a folder above it may read it. */
function byMention(path: string, naming: (word: string) => string[], { closure: { files }, tree }: Sorting): Sorted {
  const parts = path.split('/')
  const isOfTests = (user: string): boolean => isTestFile(user, tree!.texts.get(user)!) || testFolder.test(user)
  const all = parts.flatMap(naming).filter((user) => user !== path && !files.has(user))
  const product = all.find((user) => !isOfTests(user))
  if (product !== undefined) return { kind: 'product', because: `${product} names it, which is product` }
  const users = parts.slice(-2).flatMap(naming)
  if (users.length === 0) return { kind: 'product', because: 'is neither tests nor a setting' }
  const others = users.filter((user) => !files.has(user))
  if (others.length === 0) return { kind: 'settings', because: `only what the checks execute names it: ${users[0]}` }
  return { kind: 'tests', because: `only tests name it: ${others.slice(0, 3).join(', ')}` }
}

/** Who has a word between quotes or slashes: read once, however many ask. */
function namingIn(paths: readonly string[], { texts }: Tree): (word: string) => string[] {
  const found = new Map<string, string[]>()
  for (const path of paths) if (readAsData.test(path)) for (const word of path.split('/')) found.set(word, [])
  for (const [user, text] of texts)
    for (const word of new Set(text.split(/["'`/]/).slice(1, -1))) found.get(word)?.push(user)
  return (word) => found.get(word) ?? []
}

const plain = ({ kind, because }: Named): Sorted => ({ kind, because })

/** The files that need a file. Of folders only Go's packages count, for others are read as data, and only from outside. */
function importersIn(tree: Tree, doubtful?: ReadonlySet<string>): (path: string) => string[] {
  const users = usersOf(tree)
  const ofPackage = (folder: string): string[] =>
    (users.get(folder) ?? []).filter((user) => !user.endsWith('/') && `${folderOf(user)}/` !== folder)
  return (path) =>
    (users.get(path) ?? []).flatMap((user) => {
      if (!user.endsWith('/')) return [user]
      const isPackage = doubtful?.has(path) === true && tree.files.has(`${user}package.json`)
      return isPackage || path.endsWith('.go') ? ofPackage(user) : []
    })
}

// What the names of files say about whom they serve.

/** Folders for tests and for what they lean on, wherever they are. */
export const testFolder =
  /(?:^|\/)(?:__tests__|__mocks__|__snapshots__|__fixtures__|tests?|specs?|e2e|fixtures?|testdata|test-data)\//

/** Where the product is kept by convention: what lies there is product unless more is known. */
export const productFolder =
  /(?:^|\/)(?:src|lib|libs|app|apps|pkg|cmd|bin|internal|server|client|api|web|core|components)\//

/** Words for what only tests need; never enough alone. */
export const servesTests =
  /(?:^|[/._-])(?:tests?|testing|testutils?|testhelpers?|testkit|mocks?|stubs?|fakes?|fixtures?|helpers?|support|harness|setup|specs?|conftest)(?:[/._-]|$)/i

const runners =
  /^(?:(?:vitest|vite|jest|playwright|cypress|karma|ava|wdio|babel|swc|eslint|prettier|stylelint|commitlint|lint-staged|tap|web-test-runner)(?:\.[\w-]+)*\.config\.\w+|vitest\.workspace\.\w+|(?:vitest|jest)[.-]setup\.\w+|\.(?:mocharc|nycrc|c8rc|taprc|babelrc|swcrc|eslintrc|prettierrc|stylelintrc|coveragerc|rspec|npmrc|yarnrc)(?:\.\w+)*|\.env\.test(?:\.\w+)?|biome\.jsonc?|[jt]sconfig[\w.-]*\.json|bunfig\.toml|deno\.jsonc?|nx\.json|turbo\.json|lerna\.json|\.pnpmfile\.cjs)$/

const otherTools =
  /^(?:\.?pytest\.(?:ini|toml)|tox\.ini|noxfile\.py|sitecustomize\.py|usercustomize\.py|mypy\.ini|\.flake8|\.pylintrc|ruff\.toml|\.ruff\.toml|rustfmt\.toml|clippy\.toml|nextest\.toml|rust-toolchain(?:\.toml)?|\.golangci\.ya?ml|go\.work|phpunit\.xml(?:\.dist)?|[\w.-]+\.pth|ropewalk\.ya?ml)$/

const builders =
  /^(?:(?:GNU)?[Mm]akefile|.+\.mk|[Jj]ustfile|\.justfile|Taskfile\.ya?ml|magefile\.go|Rakefile|Gruntfile\.\w+|[Gg]ulpfile\.\w+|Jenkinsfile|\.travis\.yml|\.gitlab-ci\.yml|azure-pipelines\.yml)$/

const toolFolder = /(?:^|\/)(?:\.github|\.circleci|\.gitlab|\.cargo|\.config|\.husky|[^/]+\.(?:egg|dist)-info)\//

const manifests = /^(?:package\.json|pyproject\.toml|setup\.cfg|Cargo\.toml)$/

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/** Tells how tests and tools run; null: it does not, by its name. */
export function settingBecause(path: string): string | null {
  const name = nameOf(path)
  if (runners.test(name) || otherTools.test(name)) return 'tells a test runner or another tool how to work'
  if (builders.test(name)) return 'tells how things are built and checked'
  return toolFolder.test(path) ? 'is in a folder of settings for tools' : null
}

/** Both: what the product needs, and how it is tested. */
export const isMixed = (path: string): boolean => tellsHow(path) || holdsTests.test(path)

/** A manifest tells, besides what the product needs, how its tests run. */
export const tellsHow = (path: string): boolean => manifests.test(nameOf(path))

/** Tests, or examples that are executed, may stand in the product's own files. */
const holdsTests = /\.(?:rs|py)$/

export function kindOf(paths: readonly string[]): CommitKind {
  if (paths.some(isIntegration)) return 'continuous integration'
  const tests = paths.filter(isOfTests)
  const code = paths.filter((path) => !isOfTests(path) && isCode(path))
  if (code.length > 0) return tests.length > 0 ? 'code with tests' : 'code only'
  if (tests.length > 0) return 'tests only'
  return paths.length > 0 && paths.every((path) => prose.test(path)) ? 'documentation' : 'other'
}

const isOfTests = (path: string): boolean => isTest(path) || isFixture(path)

const prose =
  /\.(?:mdx?|rst|adoc|txt|png|jpe?g|gif|svg)$|(?:^|\/)(?:docs?|LICENSE|AUTHORS|CHANGES?|HISTORY|NOTICE)(?:\/|$)/i
