import type { Report, TestFailure } from '../check-result.ts'
import { placeIn } from '../output-text.ts'
import { brokenOff, countsOf, failure, figureIn, namesOf, report, splitAtFrame, tickedTests } from '../report.ts'
import { readJestJson } from './jest-json.ts'

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
