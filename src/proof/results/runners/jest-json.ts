import { listOf, objectOf, textOf } from '../../../std/json.ts'
import type { Report, TestFailure } from '../check-result.ts'
import { placeIn, withoutEscapes } from '../output-text.ts'
import { brokenOff, countsOf, failure, namesOf, report } from '../report.ts'
import { jsonBrokeOff, readJsonFrom } from './json.ts'

/** The JSON of jest, which vitest has taken over. */
export function readJestJson(text: string, runner: 'jest' | 'vitest'): Report[] {
  const reports: Report[] = []
  let read = 0
  for (const found of text.matchAll(/^\{\s*"num(?:Total|Failed)TestSuites":/gm)) {
    if (found.index < read) continue
    const { value, end } = readJsonFrom(text, found.index)
    read = end
    const isVitest = value === null ? /^\{\s*"numTotalTestSuites":/.test(found[0]) : value.openHandles === undefined
    if (isVitest !== (runner === 'vitest')) continue
    const at = { from: found.index, to: end }
    if (value === null) reports.push(brokenOff(at, { problem: jsonBrokeOff }))
    else reports.push(reportOf(value, at))
  }
  return reports
}

function reportOf(value: Record<string, unknown>, at: { from: number; to: number }): Report {
  const files = listOf(value.testResults).map(fileOf)
  const sum = (pick: (file: FileResult) => number): number => files.reduce((total, file) => total + pick(file), 0)
  const failures = files.flatMap((file) => file.failures)
  const counts = countsOf({
    passed: sum((file) => file.passed.length),
    failed: failures.length,
    skipped: sum((file) => file.skipped),
  })
  const listed = sum((file) => file.passed.length + file.skipped + file.failed)
  const complete = listed === value.numTotalTests
  return report({
    counts,
    failures,
    passed: namesOf(
      files.flatMap((file) => file.passed),
      counts.passed,
    ),
    unloadable: failures.length > 0 && files.every((file) => file.failed === 0),
    complete,
    problem: complete ? null : `it promised ${value.numTotalTests} tests and lists ${listed}`,
    ...at,
  })
}

interface FileResult {
  passed: { full: string; own: string }[]
  skipped: number
  failed: number
  failures: TestFailure[]
}

function fileOf(value: unknown): FileResult {
  const { name, status, message, assertionResults } = objectOf(value)
  const tests = listOf(assertionResults).map(objectOf)
  const file = textOf(name)
  const passed = tests.filter((test) => test.status === 'passed').map(nameOf)
  const failures = tests.filter((test) => test.status === 'failed').map((test) => failureOf(test, file))
  const failed = failures.length
  // A file that failed without a failed test could not be loaded, or failed around its tests.
  if (status === 'failed' && failed === 0) failures.push(fileFailure(file, textOf(message)))
  return { passed, skipped: tests.length - passed.length - failed, failed, failures }
}

function nameOf({ title, ancestorTitles }: Record<string, unknown>): { full: string; own: string } {
  const own = textOf(title)
  return { full: [...listOf(ancestorTitles).map(textOf), own].filter((part) => part !== '').join(' > '), own }
}

function failureOf(test: Record<string, unknown>, file: string): TestFailure {
  const said = withoutEscapes(listOf(test.failureMessages).map(textOf).join('\n'))
  const line = objectOf(test.location).line
  const place = said.split('\n').find((one) => /^\s+at /.test(one) && one.includes(file)) ?? ''
  const known = typeof line === 'number' ? line : placeIn(place).line
  return failure({ file, line: known, test: nameOf(test).full, ...split(said) })
}

function fileFailure(file: string, message: string): TestFailure {
  const said = withoutEscapes(message).replace(/^\s*● Test suite failed to run\s*/, '')
  return failure({ file, test: file, ...split(said) })
}

function split(said: string): { error: string; stack: string } {
  const frame = said.search(/^\s+at /m)
  return frame === -1 ? { error: said, stack: '' } : { error: said.slice(0, frame), stack: said.slice(frame) }
}
