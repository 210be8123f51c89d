// A product that reaches into the tests which judge it, or behaves differently while it is judged.
import type { Finding } from '../../../delivery/judging/finding.ts'
import { type Change, isFixture } from '../change.ts'
import { report } from '../report.ts'
import { lostLines } from '../tests/rules/lost-lines.ts'
import { isInTestFolder, isTestName } from '../tests/test-file.ts'

export function tamperingFindings(changes: readonly Change[]): Finding[] {
  return changes.filter(isProduct).flatMap((change) =>
    ways
      .filter((way) => way.count(change.after!) > way.count(change.before ?? ''))
      .map(({ message, mend }) => {
        const lines = lostLines(change.before ?? '', change.after!)
        return report({
          rule: 'tampers-with-tests',
          file: change.path,
          line: lines.offset + 1,
          what: message,
          message: `${message}; ${mend}`,
          evidence: lines.text,
        })
      }),
  )
}

const isProduct = ({ path, after }: Change): boolean =>
  after !== null &&
  /\.(?:[cm]?[jt]sx?|py|rs|go)$/.test(path) &&
  !isTestName(path) &&
  !isInTestFolder(path) &&
  !isFixture(path)

const ways: { message: string; mend: string; count(text: string): number }[] = [
  {
    message: 'the product replaces the functions that tests are made of',
    mend: 'leave the test libraries as they are',
    count: replacedFunctions,
  },
  {
    message: 'the product makes things that equal whatever they are compared with',
    mend: 'compare what they hold',
    count: (text) => [...text.matchAll(equalsAll)].length,
  },
  {
    message: 'the product asks whether a test runner is running it',
    mend: 'let it do the same for tests as for everybody',
    count: (text) => [...text.matchAll(runnersTraces)].length,
  },
  {
    message: 'a whole file is taken out of what the checks look at',
    mend: 'silence single lines where it must be, and mend the rest',
    count: (text) => [...text.matchAll(wholeFile)].length,
  },
]

/** Comments by which linters, type checkers and coverage leave out all of a file; those for one line are free. */
const wholeFile =
  /\/\*\s*eslint-disable\s*\*\/|@ts-nocheck\b|\b(?:istanbul|c8|v8) ignore file\b|\bbiome-ignore-all\b|\boxlint-disable\s*\*\/|\btslint:disable\s*\*\/|#\s*(?:flake8|ruff):\s*noqa\s*$|#\s*pylint:\s*(?:skip-file|disable=all)|#\s*mypy:\s*ignore-errors|^\s*#!\[allow\([^)]*\b(?:warnings|unused|clippy::all|clippy::pedantic)\b/gm

const equalsAll =
  /\bdef\s+__eq__\s*\([^)]*\)[^:\n]*:\s*return\s+True\b|\bfn\s+eq\s*\([^)]*\)\s*->\s*bool\s*\{\s*true\s*\}/g

/** `NODE_ENV`, `CI` and `#[cfg(test)]` are not among them: products have honest uses for these. */
const runnersTraces = new RegExp(
  [
    /\b(?:NODE_TEST_CONTEXT|NODE_TEST_WORKER_ID|JEST_WORKER_ID|VITEST_WORKER_ID|VITEST_POOL_ID|PYTEST_CURRENT_TEST)\b/,
    /\benv(?:\.VITEST\b|\[['"]VITEST['"]\])/,
    /\bexecArgv\b[^\n;]*['"]--test['"]/,
    /\bnpm_lifecycle_event\b[^\n;]*['"]test\b/,
    /\btypeof\s+(?:global(?:This)?\.)?(?:jest|describe|beforeEach|expect)\b/,
    /['"](?:_?pytest|unittest)['"]\s+(?:not\s+)?in\s+sys\.modules/,
    /\bsys\.argv\[0\][^\n]*\b(?:pytest|unittest)\b|\b_called_from_test\b/,
    /\btesting\.Testing\(\)|\bflag\.Lookup\("test\.|\bos\.Args\[0\][^\n]*"\.test"/,
    /\bcfg!\(\s*(?:not\(\s*)?test\b/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'g',
)

const module = `['"](?:(?:node:)?(?:assert(?:/strict)?|test)|chai|vitest|@jest/globals)['"]`
const bindings = new RegExp(
  `\\bimport\\s+(?:\\*\\s+as\\s+)?(\\w+)\\s+from\\s+${module}|\\b(?:const|let|var)\\s+(\\w+)\\s*=\\s*(?:await\\s+import|require)\\s*\\(\\s*${module}`,
  'g',
)
const global = /\bglobal(?:This)?\.(?:assert|expect|test|it|describe|suite)\s*=(?![=>])/g
const direct = new RegExp(`(?:import|require)\\s*\\(\\s*${module}\\s*\\)\\)?(?:\\.\\w+)+\\s*=(?![=>])`, 'g')

function replacedFunctions(text: string): number {
  const names = [...text.matchAll(bindings)].map((found) => found[1] ?? found[2]!)
  const assigned =
    names.length === 0
      ? []
      : [
          ...text.matchAll(
            new RegExp(
              `\\b(?:${names.join('|')})(?:\\.\\w+|\\[[^\\]\\n]+\\])+\\s*=(?![=>])|\\bObject\\.(?:assign|define\\w+)\\s*\\(\\s*(?:${names.join('|')})\\b`,
              'g',
            ),
          ),
        ]
  return assigned.length + [...text.matchAll(global)].length + [...text.matchAll(direct)].length
}
