import { baseName, type Change, isFixture } from '../inspection/change.ts'
import { holdsInlineTests, isInTestFolder } from '../inspection/tests/test-file.ts'
import { isTestFile } from '../related/related-tests.ts'
import { formerTests } from './cases.ts'
import type { NamedTest } from './named-tests.ts'

/** A diff as a witness sees it. */
export interface Subject {
  /** Test files as they are on the commit. */
  tests: Change[]
  /** What the tests lean on: fixtures, snapshots, what else is in folders for tests, settings of runners. */
  support: Change[]
  /** The product, and what it is built with. */
  sources: Change[]
  /** The product's code has changed, and not only its documents or settings. */
  touchesCode: boolean
  /** Tests that stand among the product's code cannot be taken without it. */
  inline: boolean
  /** Tests that the files of the diff had before it. */
  former: NamedTest[]
}

export function subjectOf(changes: readonly Change[]): Subject {
  const present = changes.filter(({ status }) => status !== 'deleted')
  const tests = present.filter(({ path, after }) => isTestFile(path, after))
  const support = present.filter((change) => !tests.includes(change) && isSupport(change.path))
  const isRest = (change: Change): boolean =>
    !tests.includes(change) && !support.includes(change) && !isTestFile(change.path, change.before)
  const sources = changes.filter((change) => isRest(change) && !isSupport(change.path) && !isProse(change.path))
  return {
    tests,
    support,
    sources,
    touchesCode: sources.some(({ path }) => !isSetting(path)),
    former: formerTests(changes.filter(({ path, before }) => isTestFile(path, before))),
    inline: sources.some(({ path, after }) => after !== null && holdsInlineTests(path, after)),
  }
}

const runnerSettings =
  /^(?:(?:vitest|jest|playwright|cypress|karma|ava)(?:\.\w+)*\.config\.\w+|\.mocharc.*|pytest\.ini|tox\.ini|conftest\.py|(?:vitest|jest)\.setup\.\w+)$/

/** Not tests themselves, but what only tests lean on. */
export const isSupport = (path: string): boolean =>
  isFixture(path) ||
  isInTestFolder(path) ||
  /(?:^|\/)__mocks__\/|\.snap$/.test(path) ||
  runnerSettings.test(baseName(path))

const isProse = (path: string): boolean =>
  /\.(?:mdx?|rst|adoc)$|(?:^|\/)(?:LICENSE|NOTICE|CODEOWNERS|\.gitignore|\.gitattributes)$/i.test(path)

const isSetting = (path: string): boolean =>
  /(?:^|\/)(?:package(?:-lock)?\.json|[\w-]+\.lock|pnpm-lock\.yaml|tsconfig[\w.-]*\.json|biome\.json|\.[\w-]+rc(?:\.\w+)?|go\.(?:mod|sum)|Cargo\.toml|pyproject\.toml|ropewalk\.yaml|[\w.-]+\.config\.\w+|Makefile)$|^\.github\//.test(
    path,
  )
