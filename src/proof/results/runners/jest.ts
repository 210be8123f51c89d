import { listOf, objectOf, textOf } from '../../../std/json.ts'
import type { Report, TestFailure } from '../check-result.ts'
import {
  brokenOff,
  countsOf,
  failure,
  figureIn,
  jsonReports,
  namesOf,
  placeIn,
  report,
  splitAtFrame,
  type TestName,
  tickedTests,
  withoutEscapes,
} from '../report.ts'

/** Jest's default and verbose reporters, and its JSON. */
export function readJest(text: string): Report[] {
  const json = readJestJson(text, 'jest')
  return json.length > 0 ? json : readRuns(text)
}

const summary = /^Test Suites: +(.*)\nTests: +(.*)\nSnapshots: +.*\nTime: +.*$/gm
// A project's name may stand before the file.
const result = /^ ?(PASS|FAIL) +(?:\S+ )?(\S+\.[cm]?[jt]sx?)(?: \([\d.]+ m?s\))?$/

function readRuns(text: string): Report[] {
  const reports: Report[] = []
  let from = 0
  for (const found of text.matchAll(summary)) {
    if (isMidway(text.slice(from, found.index))) continue
    const to = found.index + found[0].length
    reports.push(runOf(text.slice(from, found.index), found, { from, to }))
    from = to
  }
  const nothing = /^No tests found, exiting with code \d+$/m.exec(text)
  if (reports.length === 0 && nothing !== null)
    return [report({ counts: countsOf({}), from: nothing.index, to: nothing.index + nothing[0].length })]
  const rest = text.slice(from)
  const begun = new RegExp(result, 'm').exec(rest)
  if (begun !== null) reports.push(brokenOff({ from: from + begun.index, to: text.length }, { certain: false }))
  return reports
}

/** On a terminal the figures are drawn again and again while tests run. */
const isMidway = (before: string): boolean => / RUNS {2}.*\s*$/.test(before.slice(-300))

function runOf(text: string, found: RegExpExecArray, at: { from: number; to: number }): Report {
  const [, suites, tests] = found as unknown as [string, string, string]
  const passed = figureIn(tests, 'passed')
  const failures = readFailures(text)
  const unloadable = failures.filter(({ file, test }) => file === test).length
  const failedTests = figureIn(tests, 'failed')
  const failed = failedTests + Math.max(unloadable, failedTests === 0 ? figureIn(suites, 'failed') : 0)
  const begin = new RegExp(result, 'm').exec(text)?.index
  return report({
    counts: countsOf({ passed, skipped: figureIn(tests, 'skipped') + figureIn(tests, 'todo'), failed }),
    failures: failed === 0 ? [] : failures,
    passed: namesOf(tickedTests(text, tree), passed),
    unloadable: unloadable > 0 && failedTests === 0,
    from: begin === undefined ? found.index : at.from + begin,
    to: at.to,
  })
}

const tree = {
  test: /^( {2,})✓ (.+?)(?: \([\d.]+ m?s\))?$/,
  suite: /^( {2,})([^\s●✓✕○✎].*)$/,
  between: ' > ',
  file: result,
}

/** `● outer › inner › test` below its file; a long run lists all of them again at its end, and that list suffices. */
function readFailures(text: string): TestFailure[] {
  const failures: TestFailure[] = []
  let file: string | null = null
  let block: { test: string; lines: string[] } | null = null
  const close = (): void => {
    if (block !== null && file !== null) failures.push(failureOf(block, file))
    block = null
  }
  for (const line of text
    .split(/^Summary of all failing tests$/m)
    .at(-1)!
    .split('\n')) {
    const heading = result.exec(line)
    const bullet = /^ {2}● (.+)$/.exec(line)
    if (heading !== null || bullet !== null) close()
    if (heading !== null) file = heading[1] === 'FAIL' ? heading[2]! : null
    else if (bullet !== null) block = bullet[1] === 'Console' ? null : { test: bullet[1]!, lines: [] }
    else block?.lines.push(line)
  }
  close()
  return failures
}

function failureOf({ test, lines }: { test: string; lines: string[] }, file: string): TestFailure {
  const { error, stack } = splitAtFrame(lines.join('\n'))
  const own = lines.find((line) => /^\s+at /.test(line) && line.includes(file)) ?? ''
  const name = test === 'Test suite failed to run' ? file : test.split(' › ').join(' > ')
  return failure({ file, line: placeIn(own).line, test: name, error: error.replace(/^ {4}/gm, ''), stack })
}

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
  const failures = tests.filter((test) => test.status === 'failed').map((test) => jsonFailure(test, file))
  const failed = failures.length
  // A file that failed without a failed test could not be loaded, or failed around its tests.
  if (status === 'failed' && failed === 0) failures.push(fileFailure(file, textOf(message)))
  return { tests: tests.length, passed, failed, failures }
}

function nameOf({ title, ancestorTitles }: Record<string, unknown>): TestName {
  const own = textOf(title)
  return { full: [...listOf(ancestorTitles).map(textOf), own].filter((part) => part !== '').join(' > '), own }
}

function jsonFailure(test: Record<string, unknown>, file: string): TestFailure {
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
