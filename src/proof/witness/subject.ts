import { baseName, type Change, isFixture } from '../files/change.ts'
import { onlyFormChanged, onlyTypesChanged } from '../files/form.ts'
import { type CodeReader, holdsInlineTests, isData, isInTestFolder, isTestName } from '../files/test-file.ts'
import { isTestFile } from '../related/related-tests.ts'
import { changedTests, formerTests, type NamedTest, namedTests } from './named-tests.ts'

/** A diff as a witness sees it. */
export interface Subject {
  /** Test files as they are on the commit. */
  tests: Change[]
  /** What the tests lean on: fixtures, snapshots, what else is in folders for tests, settings of runners. */
  support: Change[]
  /** The product, and what it is built with. */
  sources: Change[]
  /** The product's code has changed, and not only its documents, settings, comments, form or, as far as they can be read, types. */
  touchesCode: boolean
  /** Tests that stand among the product's code cannot be taken without it. */
  inline: boolean
  /** Tests that the files of the diff had before it. */
  former: NamedTest[]
}

export function subjectOf(changes: readonly Change[], code: CodeReader | null = null): Subject {
  const present = changes.filter(({ status }) => status !== 'deleted')
  const tests = present.filter(({ path, after }) => isTestFile(path, after) && !isHelper(path, after))
  const support = present.filter((change) => !tests.includes(change) && isSupport(change.path))
  const isRest = (change: Change): boolean =>
    !tests.includes(change) && !support.includes(change) && !isTestFile(change.path, change.before)
  const sources = changes.filter((change) => isRest(change) && !isSupport(change.path) && !isProse(change.path))
  return {
    tests,
    support,
    sources,
    touchesCode: sources.some(
      (one) => !neverRuns(one.path) && !onlyFormChanged(one) && (code === null || !onlyTypesChanged(one, code)),
    ),
    former: formerTests(changes.filter(({ path, before }) => isTestFile(path, before))),
    inline: sources.some(({ path, after }) => after !== null && holdsInlineTests(path, after)),
  }
}

/** A file in which only the looks have changed has nothing to tell; one that nobody can read may have. */
export const touchedTests = ({ tests, former }: Subject): Change[] =>
  tests.filter((change) => {
    const { added, changed, same } = changedTests(change, former)
    return added.length + changed.length > 0 || same.length === 0
  })

/** Of tests that were there and are written otherwise, guard and sensitivity tell. What nobody can read may be new. */
export const bringsTests = (subject: Subject): boolean =>
  touchedTests(subject).some((change) => {
    const { added, changed, same } = changedTests(change, subject.former)
    return added.length > 0 || changed.length + same.length === 0
  })

/** What asserts for tests and has none itself: it is imported, and no runner could run it alone. */
const isHelper = (path: string, text: string | null): boolean =>
  text !== null && !isTestName(path) && gives.test(text) && namedTests(path, text).length === 0

const gives = /^(?:export\b|(?:module\.)?exports\b|(?:async )?def |pub fn )/m

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

/** Settings, data, and types that are only declared: by what the language is, nothing in them is ever executed. */
const neverRuns = (path: string): boolean => isSetting(path) || isData(path) || /\.(?:d\.[cm]?ts|pyi)$/.test(path)

const isSetting = (path: string): boolean =>
  /(?:^|\/)(?:package(?:-lock)?\.json|[\w-]+\.lock|pnpm-lock\.yaml|tsconfig[\w.-]*\.json|biome\.json|\.[\w-]+rc(?:\.\w+)?|go\.(?:mod|sum)|Cargo\.toml|pyproject\.toml|ropewalk\.yaml|[\w.-]+\.config\.\w+|Makefile)$|^\.github\//.test(
    path,
  )
