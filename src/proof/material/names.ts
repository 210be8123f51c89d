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
