// Tests are how work is judged; those that are there stay, and go on claiming what they claimed.
import type { Finding } from '../../../delivery/judging/finding.ts'
import { type Change, pathBefore } from '../change.ts'
import { report } from '../report.ts'
import type { CodeReader } from '../syntax/code-reader.ts'
import { matchCases } from './match-cases.ts'
import { readBoth } from './read-tests.ts'
import { duplicateFindings } from './rules/duplicates.ts'
import { escapeFindings } from './rules/escapes.ts'
import { hollowTests } from './rules/hollow.ts'
import { isLarge, largeFindings } from './rules/large.ts'
import { mockedSubjectFindings } from './rules/mocked-subject.ts'
import { narrowedFindings } from './rules/narrowed.ts'
import { skipFindings } from './rules/skip-findings.ts'
import { isExpectation, snapshotFindings } from './rules/snapshots.ts'
import { slackenedTest } from './rules/timeouts.ts'
import { deletedFindings, movedAway, renamedAway } from './rules/vanished.ts'
import { weakenedTest } from './rules/weakened.ts'
import type { TestChange } from './test-case.ts'
import { holdsInlineTests, holdsTests, isData, isInTestFolder, isTestName, looksLikeTests } from './test-file.ts'

export function integrityFindings(changes: readonly Change[], reader: CodeReader): Finding[] {
  const touched = changes.filter(isTestChange)
  const tests = touched.filter((change) => !isLarge(change)).map((change) => readChange(change, reader))
  const pairs = matchCases(tests)
  const fresh = pairs.fresh.map(({ test }) => test)
  const elsewhere = {
    assertions: fresh.flatMap((test) => test.facts.assertions),
    fixtures: changes.flatMap(({ status, path, after }) => (status === 'added' && isData(path) ? (after ?? []) : [])),
  }
  const whole = tests.filter(({ inline }) => !inline)
  return [
    ...touched.flatMap(unreadable),
    ...touched.flatMap(renamedAway),
    ...touched.filter(isLarge).flatMap(largeFindings),
    ...deletedFindings(tests, pairs.vanished),
    ...pairs.kept.flatMap(movedAway),
    ...pairs.kept.flatMap((kept) => {
      const weakened = weakenedTest(kept, elsewhere)
      return weakened.length > 0 ? weakened : slackenedTest(kept)
    }),
    ...pairs.fresh.flatMap(({ test, path }) => hollowTests(test, path)),
    ...skipFindings(tests, {
      fresh: new Set(fresh.map((test) => test.name)),
      former: new Map(pairs.kept.map(({ before, after }) => [after.name, before.name])),
    }),
    ...tests.flatMap(duplicateFindings),
    ...whole.flatMap((test) => mockedSubjectFindings(test, changes)),
    ...whole.flatMap(escapeFindings),
    ...whole.flatMap(narrowedFindings),
    ...snapshotFindings(changes),
  ]
}

function isTestChange(change: Change): boolean {
  const texts = [change.before, change.after].filter((text) => text !== null)
  return [pathBefore(change), change.path].some(
    (path) =>
      !isExpectation(path) &&
      (isTestName(path) ||
        texts.some((text) => looksLikeTests(path, text) || holdsInlineTests(path, text)) ||
        (isInTestFolder(path) && change.before !== null && /\.(?:[cm]?[jt]sx?|py|rb|go)$/.test(path))),
  )
}

function readChange(change: Change, reader: CodeReader): TestChange {
  const stays = change.status !== 'deleted'
  const [before, after] = readBoth(
    reader,
    { path: pathBefore(change), text: change.before },
    { path: change.path, text: stays ? change.after : null },
  )
  const inline = ![pathBefore(change), change.path].some(
    (path) => isInTestFolder(path) || holdsTests(path, change.before) || holdsTests(path, change.after),
  )
  return { change, inline, before, after }
}

function unreadable(change: Change): Finding[] {
  if (change.status === 'deleted' || change.after !== null || change.before === null) return []
  return [
    report({
      rule: 'test-unreadable',
      file: change.path,
      message: 'these tests became too large or binary, and cannot be inspected; keep them as text',
      fixTarget: 'tests',
    }),
  ]
}
