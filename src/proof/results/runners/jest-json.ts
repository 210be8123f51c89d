import { listOf, objectOf, textOf } from '../../../std/json.ts'
import type { Report, TestFailure } from '../check-result.ts'
import { placeIn, withoutEscapes } from '../output-text.ts'
import { countsOf, failure, namesOf, report, splitAtFrame, type TestName } from '../report.ts'
import { jsonReports } from './json.ts'

/** The JSON of jest, which vitest has taken over. */
export const readJestJson = (text: string, runner: 'jest' | 'vitest'): Report[] =>
  jsonReports(text, /^\{\s*"num(?:Total|Failed)TestSuites":/gm, {
    isOurs: (value, head) =>
      (value === null ? head.includes('"numTotal') : value.openHandles === undefined) === (runner === 'vitest'),
    read: reportOf,
  })

function reportOf(value: Record<string, unknown>, at: { from: number; to: number }): Report {
  const files = listOf(value.testResults).map(fileOf)
  const passed = files.flatMap((file) => file.passed)
  const failures = files.flatMap((file) => file.failures)
  const listed = files.reduce((sum, { tests }) => sum + tests, 0)
  const skipped = listed - passed.length - files.reduce((sum, { failed }) => sum + failed, 0)
  const complete = listed === value.numTotalTests
  return report({
    counts: countsOf({ passed: passed.length, failed: failures.length, skipped }),
    failures,
    passed: namesOf(passed, passed.length),
    unloadable: failures.length > 0 && files.every(({ failed }) => failed === 0),
    complete,
    problem: complete ? null : `it promised ${value.numTotalTests} tests and lists ${listed}`,
    ...at,
  })
}

function fileOf(value: unknown) {
  const { name, status, message, assertionResults } = objectOf(value)
  const tests = listOf(assertionResults).map(objectOf)
  const file = textOf(name)
  const passed = tests.filter((test) => test.status === 'passed').map(nameOf)
  const failures = tests.filter((test) => test.status === 'failed').map((test) => failureOf(test, file))
  const failed = failures.length
  // A file that failed without a failed test could not be loaded, or failed around its tests.
  if (status === 'failed' && failed === 0) failures.push(fileFailure(file, textOf(message)))
  return { tests: tests.length, passed, failed, failures }
}

function nameOf({ title, ancestorTitles }: Record<string, unknown>): TestName {
  const own = textOf(title)
  return { full: [...listOf(ancestorTitles).map(textOf), own].filter((part) => part !== '').join(' > '), own }
}

function failureOf(test: Record<string, unknown>, file: string): TestFailure {
  const said = withoutEscapes(listOf(test.failureMessages).map(textOf).join('\n'))
  const line = objectOf(test.location).line
  const place = said.split('\n').find((one) => /^\s+at /.test(one) && one.includes(file)) ?? ''
  const known = typeof line === 'number' ? line : placeIn(place).line
  return failure({ file, line: known, test: nameOf(test).full, ...splitAtFrame(said) })
}

function fileFailure(file: string, message: string): TestFailure {
  const said = withoutEscapes(message).replace(/^\s*● Test suite failed to run\s*/, '')
  return failure({ file, test: file, ...splitAtFrame(said) })
}
