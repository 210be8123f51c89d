import type { Parser, Report, TestFailure } from '../check-result.ts'
import { placeIn } from '../output-text.ts'
import { brokenOff, countsOf, failure, namesOf, report } from '../report.ts'
import { readJestJson } from './jest-json.ts'

/** Jest's default and verbose reporters, and its JSON. */
export const jest: Parser = {
  read: (text) => {
    const json = readJestJson(text, 'jest')
    return json.length > 0 ? json : readRuns(text)
  },
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
  const [suites, tests] = [figuresOf(found[1]!), figuresOf(found[2]!)]
  const failures = readFailures(text)
  const unloadable = failures.filter(({ file, test }) => file === test).length
  const failed = tests.failed + Math.max(unloadable, tests.failed === 0 ? suites.failed : 0)
  const begin = new RegExp(result, 'm').exec(text)?.index
  return report({
    counts: countsOf({ passed: tests.passed, skipped: tests.skipped, failed }),
    failures: failed === 0 ? [] : failures,
    passed: namesOf(passedIn(text), tests.passed),
    unloadable: unloadable > 0 && tests.failed === 0,
    from: begin === undefined ? found.index : at.from + begin,
    to: at.to,
  })
}

/** `2 failed, 1 skipped, 1 todo, 3 passed, 7 total`. */
function figuresOf(told: string): { passed: number; failed: number; skipped: number } {
  const line = told.slice(0, 200)
  const of = (word: string): number => Number(new RegExp(`(\\d+) ${word}\\b`).exec(line)?.[1] ?? 0)
  return { passed: of('passed'), failed: of('failed'), skipped: of('skipped') + of('todo') }
}

function passedIn(text: string): { full: string; own: string }[] {
  const names: { full: string; own: string }[] = []
  const path: string[] = []
  for (const line of text.split('\n')) {
    if (result.test(line)) path.length = 0
    const test = /^( {2,})✓ (.+?)(?: \([\d.]+ m?s\))?$/.exec(line)
    const suite = test === null ? /^( {2,})([^\s●✓✕○✎].*)$/.exec(line) : null
    const depth = (test ?? suite)?.[1]?.length ?? 0
    if (test !== null) names.push({ full: [...path.slice(0, depth / 2 - 1), test[2]!].join(' > '), own: test[2]! })
    else if (suite !== null) path.splice(depth / 2 - 1, path.length, suite[2]!)
  }
  return names
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
  const frame = lines.findIndex((line) => /^\s+at /.test(line))
  const error = (frame === -1 ? lines : lines.slice(0, frame)).map((line) => line.replace(/^ {4}/, '')).join('\n')
  const stack = frame === -1 ? '' : lines.slice(frame).join('\n')
  const own = lines.find((line) => /^\s+at /.test(line) && line.includes(file)) ?? ''
  const name = test === 'Test suite failed to run' ? file : test.split(' › ').join(' > ')
  return failure({ file, line: placeIn(own).line, test: name, error, stack })
}
