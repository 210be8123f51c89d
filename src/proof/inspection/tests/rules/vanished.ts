import type { Finding } from '../../../../delivery/judging/finding.ts'
import { baseName, type Change } from '../../change.ts'
import { report } from '../../report.ts'
import type { Case, TestChange } from '../test-case.ts'
import { holdsTests, isTestName } from '../test-file.ts'

const setAside =
  /(?:^|\/)[._]|(?:^|[/._-])(?:disabled|skip(?:ped)?|bak|backup|ignored?|archived?|attic|deprecated)(?:[/._-]|$)/i

/** Go compiles such files on one platform only. */
const onePlatform =
  /_(?:aix|android|darwin|dragonfly|freebsd|illumos|ios|js|linux|netbsd|openbsd|plan9|solaris|wasip1|windows|386|amd64|arm|arm64|wasm|ppc64le?|mips\w*|riscv64|s390x|loong64)_test\.go$/

const isSetAside = (path: string): boolean =>
  setAside.test(path.replace(/__tests__/g, '')) || onePlatform.test(baseName(path))

/** A test under a name that no runner looks for is a deleted test. */
export function renamedAway(change: Change): Finding[] {
  if (change.oldPath === null || !holdsTests(change.oldPath, change.before)) return []
  const stays = isTestName(change.oldPath) ? isTestName(change.path) : holdsTests(change.path, change.after)
  if (stays && !(isSetAside(change.path) && !isSetAside(change.oldPath))) return []
  return [
    report({
      rule: 'test-deleted',
      file: change.path,
      line: 1,
      message: `the tests of ${change.oldPath} were moved to where they are not run; give the file a name that the runner finds`,
      evidence: `- ${change.oldPath}\n+ ${change.path}`,
      fixTarget: 'tests',
    }),
  ]
}

/** The same for a single test that went to such a file. */
export function movedAway({ before, path, from }: { before: Case; path: string; from: string }): Finding[] {
  if (path === from || !isTestName(from) || (isTestName(path) && (!isSetAside(path) || isSetAside(from)))) return []
  if (path.endsWith('.rs')) return []
  return [
    deleted(path, { line: 1, what: `the test "${before.name}" went to a file that is not run`, text: before.text }),
  ]
}

export function deletedFindings(
  tests: readonly TestChange[],
  vanished: readonly { test: Case; path: string }[],
): Finding[] {
  const silent = tests.filter(
    ({ change, before }) =>
      change.status === 'deleted' && holdsTests(change.path, change.before) && (before?.cases.length ?? 0) === 0,
  )
  return [
    ...silent.map(({ change }) =>
      deleted(change.path, { line: 1, what: 'this test file was deleted', text: change.before ?? '' }),
    ),
    ...vanished.map(({ test, path }) =>
      deleted(path, {
        line: test.line,
        what: `the test "${test.name}" is gone, and no other takes its place`,
        text: test.text,
      }),
    ),
  ]
}

const deleted = (file: string, gone: { line: number; what: string; text: string }): Finding =>
  report({
    rule: 'test-deleted',
    file,
    line: gone.line,
    what: gone.what,
    message: `${gone.what}; put it back, or have the story declare the file under mayChange when the feature is removed`,
    evidence: gone.text.replace(/^/gm, '- '),
    fixTarget: 'tests',
  })
