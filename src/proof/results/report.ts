import type { TestCounts } from '../../delivery/judging/finding.ts'
import { objectOf, parseJson } from '../../std/json.ts'
import type { CheckResult, Parsed, Report, TestFailure } from './check-result.ts'

/** A report with what every runner has; the rest is given. */
export const report = (told: Partial<Report> & Pick<Report, 'counts' | 'from' | 'to'>): Report => ({
  failures: [],
  hollow: [],
  passed: null,
  complete: true,
  summarised: true,
  unloadable: false,
  problem: null,
  certain: true,
  ...told,
})

/** A report that broke off. */
export const brokenOff = (at: Pick<Report, 'from' | 'to'>, told: Partial<Report> = {}): Report =>
  report({
    counts: countsOf({}),
    complete: false,
    summarised: false,
    problem: 'the report has no summary: it ended early',
    ...at,
    ...told,
  })

export function countsOf({ passed = 0, failed = 0, skipped = 0 }: Partial<TestCounts>): TestCounts {
  return { total: passed + failed + skipped, passed, failed, skipped }
}

/** Of several, figure by figure. */
function sumOf(all: readonly TestCounts[]): TestCounts {
  const sum = (key: keyof TestCounts): number => all.reduce((total, one) => total + one[key], 0)
  return { total: sum('total'), passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped') }
}

/** The number before a word: `2 failed, 3 passed`. */
export const figureIn = (line: string, word: string): number =>
  Number(new RegExp(`(\\d+) ${word}\\b`).exec(line.slice(0, 300))?.[1] ?? 0)

/** What a test is called: in full, and as it stands in its file. */
export interface TestName {
  full: string
  own: string
}

/** What a reporter shows as a tree: tests with ticks, below the names of their suites, each level two blanks further in. */
export function tickedTests(
  text: string,
  { test, suite, between, file }: { test: RegExp; suite: RegExp; between: string; file: RegExp | null },
): TestName[] {
  const path: string[] = []
  return text.split('\n').flatMap((line) => {
    if (file?.test(line)) path.length = 0
    const passed = test.exec(line)
    const [, indent = '', name = ''] = passed ?? suite.exec(line) ?? []
    const depth = indent.length / 2 - 1
    if (passed !== null) return [{ full: [...path.slice(0, depth), name].join(between), own: name }]
    if (indent !== '') path.splice(depth, path.length, name)
    return []
  })
}

/** Names of tests as they are told in full and as they stand in their file, if these are all of them. */
export function namesOf(tests: TestName[], count: number): string[] | null {
  if (tests.length !== count) return null
  return [...new Set(tests.flatMap(({ full, own }) => [full, own, own.replace(/^(\w+)\[.*\]$/s, '$1')]))]
}

/** Those that are what the check itself reported: what stands inside of another report was printed by a test. */
export function standing<Found extends Report>(reports: Found[]): Found[] {
  const inner = within(reports)
  const kept = reports.filter((one) => !inner.has(one))
  const whole = kept.some((one) => one.complete)
  return kept.filter((one) => one.complete || one.certain || !whole)
}

/** Reports inside of a larger one that is whole. Sorted, a report lies in the one that reaches furthest, or in none. */
function within(reports: Report[]): Set<Report> {
  const inner = new Set<Report>()
  let furthest: Report | null = null
  for (const one of [...reports].sort((a, b) => a.from - b.from || b.to - a.to)) {
    const reach: Report | null = furthest
    if (reach !== null && (reach.to > one.to || (reach.to === one.to && reach.from < one.from))) inner.add(one)
    else if (one.complete && one.certain && (reach === null || one.to > reach.to)) furthest = one
  }
  return inner
}

/** All of them together: what one of them lacks, all of them lack. */
export function combine(reports: Parsed[]): Parsed {
  const failures = reports.flatMap((one) => one.failures)
  const passed = reports.map((one) => one.passed)
  return {
    counts: sumOf(reports.map((one) => one.counts)),
    failures,
    hollow: reports.flatMap((one) => one.hollow),
    passed: passed.every((names) => names !== null) ? passed.flat() : null,
    complete: reports.length > 0 && reports.every((one) => one.complete),
    summarised: reports.length > 0 && reports.every((one) => one.complete || one.summarised),
    unloadable: failures.length > 0 && reports.every((one) => one.counts.failed === 0 || one.unloadable),
    problem: reports.find((one) => one.problem !== null)?.problem ?? null,
  }
}

const longest = 4_000

/** A failure with what it says kept short. */
export const failure = (told: Partial<TestFailure> & Pick<TestFailure, 'test'>): TestFailure => {
  const { file = null, line = null, test, error = '', stack = '' } = told
  return { file, line, test, error: error.trim().slice(0, longest), stack: stack.trimEnd().slice(0, longest) }
}

/** What was said before the first frame of a stack, and from there on. */
export function splitAtFrame(said: string, frame = /^[ \t]+at /m): { error: string; stack: string } {
  const at = said.search(frame)
  return at === -1 ? { error: said, stack: '' } : { error: said.slice(0, at), stack: said.slice(at) }
}

export interface PackageResult {
  folder: string
  result: CheckResult
}

// The first of these that any package shows is what all of them show.
const worst: CheckResult['status'][] = ['timeout', 'crash', 'build-error', 'test-failure', 'no-tests', 'pass']

/** One result of a check that ran in several folders: nothing passes unless it passes in each of them. */
export function addUp(results: readonly PackageResult[]): CheckResult {
  const placed = results.map(inFolder)
  if (placed.length === 1) return placed[0]!
  const status = worst.find((one) => placed.some((result) => result.status === one))!
  const told = results.find(({ result }) => result.status === status)!
  const passed = placed.map((result) => result.passed)
  const printed = placed.some((result) => result.printed !== undefined)
    ? countsIn(placed.map((result) => ({ ...result, counts: result.printed ?? result.counts })))
    : null
  return {
    status,
    runner: told.result.runner,
    counts: countsIn(placed),
    ...(printed === null ? {} : { printed }),
    ...(told.result.silent === true && { silent: true }),
    ...(told.result.lack !== undefined && { lack: told.result.lack }),
    failures: placed.flatMap(({ failures }) => failures),
    hollow: placed.flatMap(({ hollow }) => hollow),
    passed: passed.includes(null) ? null : passed.flatMap((names) => names!),
    message: status === 'pass' ? `passed in ${results.length} packages` : `in ${told.folder}: ${told.result.message}`,
    tail: told.result.tail,
  }
}

function inFolder({ folder, result }: PackageResult): CheckResult {
  if (folder === '') return result
  const placed = (file: string): string => `${folder}/${file}`
  return {
    ...result,
    failures: result.failures.map((failure) =>
      failure.file === null
        ? { ...failure, test: `${folder}: ${failure.test}` }
        : { ...failure, file: placed(failure.file) },
    ),
    hollow: result.hollow.map(placed),
  }
}

/** Unknown when a package failed without figures: nobody could tell which of its failures are the base's. */
function countsIn(results: readonly CheckResult[]): TestCounts | null {
  if (results.some(({ status, counts }) => status !== 'pass' && counts === null)) return null
  const known = results.flatMap(({ counts }) => counts ?? [])
  return known.length === 0 ? null : sumOf(known)
}

/** `test/a.test.mjs:4:33` in a location or in the first frame of a stack that is the project's own. */
export function placeIn(text: string): { file: string | null; line: number | null } {
  for (const line of text.split('\n', 200)) {
    const found = /(?:file:\/\/)?((?:[A-Za-z]:)?[^\s()'":]+\.\w{1,5}):(\d+)(?::\d+)?/.exec(line.slice(0, 500))
    if (found && !foreign.test(found[1]!) && !line.includes('node:')) return { file: found[1]!, line: Number(found[2]) }
  }
  return { file: null, line: null }
}

const foreign = /node_modules|^node:|^internal\/|site-packages|\/lib\/python[\d.]+\/|^\/rustc\/|\/go[\d.-]*\/src\//

/** A runner reports a file in which it found no test as one passed test that is named like the file. */
export const isFileName = (test: string): boolean => /^\S+\.[cm]?[jt]sx?$/.test(test)

/** A path of code, in whatever language. */
export const isSourceFile = (text: string): boolean => /^\S+\.(?:[cm]?[jt]sx?|py|go|rs|rb|php|java|kt|cs)$/.test(text)

/** Text without colours and cursor moves, with paths relative to the place it was printed in. */
export function plain(text: string, root: string): string {
  const bare = withoutEscapes(text).replaceAll('\r\n', '\n')
  if (root.length < 2) return bare
  return [`file://${encodeURI(root)}/`, `file://${root}/`, `${root}/`].reduce((all, at) => all.replaceAll(at, ''), bare)
}

export const withoutEscapes = (text: string): string => text.replace(escapes, '')

// Colours and cursor moves, character sets, titles of windows.
const escapes = /\x1b(?:\[[0-9;?]*[@-~]|[()][0-9A-Za-z]|\][^\x07\x1b]*(?:\x07|\x1b\\))/g

// JSON among other output.

type JsonObject = Record<string, unknown>

/** The reports in JSON that begin like this, of those that are ours; null as a value: it breaks off. */
export function jsonReports(
  text: string,
  start: RegExp,
  {
    isOurs,
    read,
  }: { isOurs(value: JsonObject | null, head: string): boolean; read(value: JsonObject, at: At): Report },
): Report[] {
  let to = 0
  return [...text.matchAll(start)].flatMap((found) => {
    if (found.index < to) return []
    const end = endOf(text, found.index)
    const known = end === -1 ? null : parseJson(text.slice(found.index, end))
    const value = known === null ? null : objectOf(known)
    to = end === -1 ? text.length : end
    if (!isOurs(value, found[0])) return []
    const at = { from: found.index, to }
    return [value === null ? brokenOff(at, { problem: jsonBrokeOff }) : read(value, at)]
  })
}

type At = Pick<Report, 'from' | 'to'>

function endOf(text: string, from: number): number {
  const token = /["{}]/g
  token.lastIndex = from
  let depth = 0
  for (let found = token.exec(text); found !== null; found = token.exec(text)) {
    if (found[0] === '"') {
      const close = endOfString(text, found.index + 1)
      if (close === -1) return -1
      token.lastIndex = close
    } else depth += found[0] === '{' ? 1 : -1
    if (depth === 0) return token.lastIndex
  }
  return -1
}

function endOfString(text: string, from: number): number {
  const token = /\\.|"/gs
  token.lastIndex = from
  for (let found = token.exec(text); found !== null; found = token.exec(text))
    if (found[0] === '"') return token.lastIndex
  return -1
}

/** The longest line that is kept of an output is shorter than the report of a large suite. */
const jsonBrokeOff =
  'its JSON broke off; of a printed line at most 1 MB is kept, so let it write its report to $ROPEWALK_REPORT'

/** For a pattern that finds the text itself. */
export const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
