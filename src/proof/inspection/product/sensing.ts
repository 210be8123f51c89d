// What product code can still sense is that a test runner runs at all. Some of it has honest uses, so nothing is held
// back for it: a reviewer looks at the line, and people are told.
import type { Finding } from '../../../delivery/judging/finding.ts'
import { type AddedLine, addedLines } from '../../scope/added-lines.ts'
import { type Change, isFixture } from '../change.ts'
import { report } from '../report.ts'
import { isInTestFolder, isTestName } from '../tests/test-file.ts'

/** Added lines of the product that could tell a test run from any other, or reach into it. */
export function sensingLines(change: Change): (AddedLine & { what: string })[] {
  if (!isProduct(change.path)) return []
  return addedLines(change).flatMap((line) => {
    const way = ways.find(({ signs }) => signs.test(line.text.slice(0, 2_000)))
    return way === undefined || /^\s*(?:\/\/|#(?!\[)|\*)/.test(line.text) ? [] : [{ ...line, what: way.what }]
  })
}

export const sensingFindings = (changes: readonly Change[]): Finding[] =>
  changes.flatMap((change) =>
    sensingLines(change).map(({ line, text, what }) =>
      report({
        rule: 'senses-tests',
        file: change.path,
        line,
        what: text.trim(),
        severity: 'suggestion',
        message: `${change.path}:${line} ${what}`,
        evidence: `+ ${text.trim().slice(0, 200)}`,
      }),
    ),
  )

const isProduct = (path: string): boolean =>
  /\.(?:[cm]?[jt]sx?|vue|svelte|py|rs|go|rb|java|kt|cs|php)$/.test(path) &&
  !/\.config\.\w+$/.test(path) &&
  ![isTestName, isInTestFolder, isFixture].some((isOfTests) => isOfTests(path))

const either = (...signs: RegExp[]): RegExp => new RegExp(signs.map(({ source }) => source).join('|'))

const ways: { what: string; signs: RegExp }[] = [
  {
    what: 'could tell that a test runner runs it',
    signs: either(
      /\b(?:NODE_TEST_CONTEXT|NODE_TEST_WORKER_ID|JEST_WORKER_ID|VITEST_\w+|PYTEST_\w+|CARGO_BIN_EXE_\w+|RUST_TEST_\w+)\b/,
      /\b(?:env|environ|getenv|Getenv|var|ENV)\b.{0,4}[.[('"]+(?:NODE_ENV|VITEST|CI|APP_ENV|RAILS_ENV|TEST)\b/,
      /\bexecArgv\b|\bargv\b.*\btest|\bnpm_(?:lifecycle|command|config)_\w*\b|\brequire\.cache\b|\brequire\.main\b.*\btest/,
      /\btypeof\s+(?:global(?:This)?\.)?(?:jest|vi|describe|it|test|beforeEach|expect)\b/,
      /\bsys\.modules\b|\bsys\.argv\[0\].*test|\b_called_from_test\b|\bsys\.(?:_getframe|gettrace|settrace)\b|\binspect\.stack\(/,
      /\btesting\.Testing\(\)|\bflag\.Lookup\(|\bos\.Args\[0\]|\bruntime\.Callers?\(|\bdebug\.(?:Stack|PrintStack)\(/,
      /\bcfg!\(.*\btest\b|#\[cfg\(not\(test\)\)\]|\bcfg_attr\(.*\btest\b/,
      /\.stack\b.*\b(?:includes|match|test|split|indexOf)\b|\bcaptureStackTrace\b|\bprepareStackTrace\b/,
    ),
  },
  {
    what: 'acts when the process ends',
    signs: either(
      /\bprocess\.on(?:ce)?\(\s*['"](?:exit|beforeExit)['"]|\bprocess\.(?:reallyExit|exit\s*=(?!=))|\batexit\b|\bos\._exit\b/,
    ),
  },
  {
    what: 'reaches into what tests are made of',
    signs: either(
      /\b(?:import|from|require)\b.*['"](?:node:test|chai|vitest|@jest\/globals)['"]/,
      /\bglobal(?:This)?\.(?:assert|expect|test|it|describe|suite)\s*=(?![=>])|\bassert(?:\.\w+)+\s*=(?![=>])/,
      /^\s*(?:import|from)\s+(?:_?pytest|unittest)\b|\bdef\s+__eq__\b.*:\s*return\s+True\b/,
    ),
  },
]
