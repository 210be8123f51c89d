// Tests are how work is judged; those that are there stay, and go on claiming what they claimed.
import type { Finding } from '../../../delivery/judging/finding.ts'
import { type Change, pathBefore } from '../change.ts'
import { report } from '../report.ts'
import { assertionsIn } from './assertions.ts'
import { type Case, readTests, type TestChange } from './cases.ts'
import { escapeFindings } from './escapes.ts'
import { matchCases } from './match-cases.ts'
import { skipFindings } from './skip-findings.ts'
import { holdsInlineTests, isInTestFolder, isTestName, looksLikeTests } from './test-file.ts'
import { hollowTests, weakenedTest } from './weakened.ts'

export function integrityFindings(changes: readonly Change[]): Finding[] {
  const tests = changes.filter((change) => isTestChange(change)).map(readChange)
  const pairs = matchCases(tests)
  const fresh = pairs.fresh.map(({ test }) => test)
  const elsewhere = fresh.flatMap(assertionsIn)
  return [
    ...tests.flatMap(({ change }) => unreadable(change)),
    ...tests.flatMap(({ change }) => renamedAway(change)),
    ...deletedFindings(tests, pairs.vanished),
    ...pairs.kept.flatMap((kept) => weakenedTest(kept, elsewhere)),
    ...pairs.fresh.flatMap(({ test, path }) => hollowTests(test, path)),
    ...skipFindings(tests, new Set(fresh.map((test) => test.name))),
    ...tests.filter(({ inline }) => !inline).flatMap(escapeFindings),
  ]
}

function isTestChange(change: Change): boolean {
  const texts = [change.before, change.after].filter((text) => text !== null)
  return [pathBefore(change), change.path].some(
    (path) =>
      isTestName(path) ||
      texts.some((text) => looksLikeTests(path, text) || holdsInlineTests(path, text)) ||
      (isInTestFolder(path) && change.before !== null && /\.(?:[cm]?[jt]sx?|py|rb|go)$/.test(path)),
  )
}

function readChange(change: Change): TestChange {
  const stays = change.status !== 'deleted'
  return {
    change,
    inline: ![pathBefore(change), change.path].some(
      (path) => isInTestFolder(path) || holdsTests(path, change.before) || holdsTests(path, change.after),
    ),
    before: change.before === null ? null : readTests(pathBefore(change), change.before),
    after: stays && change.after !== null ? readTests(change.path, change.after) : null,
  }
}

function unreadable(change: Change): Finding[] {
  if (change.status === 'deleted' || change.after !== null || change.before === null) return []
  return [
    report({
      rule: 'test-unreadable',
      file: change.path,
      message: 'these tests became too large or binary, and cannot be inspected',
    }),
  ]
}

const holdsTests = (path: string, text: string | null): boolean => isTestName(path) || looksLikeTests(path, text ?? '')

const setAside =
  /(?:^|\/)\.|(?:^|[/._-])(?:disabled|skip(?:ped)?|bak|backup|ignored?|archived?|attic|deprecated)(?:[/._-]|$)/i

/** A test under a name that no runner looks for is a deleted test. */
function renamedAway(change: Change): Finding[] {
  if (change.oldPath === null || !holdsTests(change.oldPath, change.before)) return []
  const stays = isTestName(change.oldPath) ? isTestName(change.path) : holdsTests(change.path, change.after)
  if (stays && !(setAside.test(change.path) && !setAside.test(change.oldPath))) return []
  return [
    report({
      rule: 'test-deleted',
      file: change.path,
      message: `the tests of ${change.oldPath} were moved to where they are not run`,
      fixTarget: 'tests',
    }),
  ]
}

function deletedFindings(tests: TestChange[], vanished: { test: Case; path: string }[]): Finding[] {
  const silent = tests.filter(
    ({ change, before }) =>
      change.status === 'deleted' &&
      (isTestName(change.path) || looksLikeTests(change.path, change.before ?? '')) &&
      (before?.cases.length ?? 0) === 0,
  )
  return [
    ...silent.map(({ change }) => deleted(change.path, 'this test file was deleted', change.before ?? '')),
    ...vanished.map(({ test, path }) =>
      deleted(path, `the test "${test.name}" is gone, and no other takes its place`, test.text),
    ),
  ]
}

const deleted = (file: string, message: string, evidence: string): Finding =>
  report({ rule: 'test-deleted', file, what: message, message, evidence, fixTarget: 'tests' })
