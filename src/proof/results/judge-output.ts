import type { ParserName, Runner, TestCounts } from '../../delivery/judging/finding.ts'
import type { CheckResult, Parsed, Report, TestFailure } from './check-result.ts'
import { categoryOf, waitsForChanges } from './faults.ts'
import { brokenOff, combine, escaped, isFileName, plain, standing } from './report.ts'
import { readCargo } from './runners/cargo.ts'
import { readGo } from './runners/go.ts'
import { readJest } from './runners/jest.ts'
import { readJunit } from './runners/junit.ts'
import { readMocha } from './runners/mocha.ts'
import { readPytest, readUnittest } from './runners/python.ts'
import { readNodeTest, readTap } from './runners/tap.ts'
import { readVitest } from './runners/vitest.ts'

export interface CheckOutput {
  /** `auto`, or the runner that must have printed it. */
  parser: ParserName
  /** The check's, where it has one: for those who are to say how it is read. */
  name?: string
  stdout: string
  stderr: string
  exit: {
    reason: 'exited' | 'lingered' | 'signalled' | 'timeout' | 'idle' | 'aborted' | 'not-found'
    code: number | null
    signal: string | null
  }
  /** The middle of the output is missing. */
  truncated: boolean
  /** The folder it ran in, to make paths relative; empty when unknown. */
  root: string
  /** What was run, where it is known: some runners are told by it. */
  command?: string
  /** Where it was to leave a report; null or absent: what it prints is its report. */
  report?: string | null
  /** The reports that it left, whether it had to or not. */
  reports?: LeftReport[]
}

/** What a check's run shows. Nothing passes that does not clearly pass. */
export function judgeOutput(output: CheckOutput): CheckResult {
  const stdout = plain(output.stdout, output.root)
  const all = output.stderr === '' ? stdout : `${stdout}\n${plain(output.stderr, output.root)}`
  const base = { failures: [], hollow: [], passed: null, counts: null, tail: all.slice(-tailLength) }
  const unfinished = endedOtherwise(output, base.tail)
  const read = readingOf(output, all)
  if (read === null) {
    const judged = unfinished ?? withoutReport(output, base.tail)
    const counts = judged.status === 'pass' ? toldBesides(all) : null
    return { ...base, runner: output.parser === 'auto' ? 'exit-code' : output.parser, counts, ...judged }
  }
  const { counts, hollow } = read.parsed
  const failures = withCauses(read.parsed.failures, all)
  const passed = read.source === 'output' && output.truncated ? null : read.parsed.passed
  const judged = unfinished ?? statusOf(read, output)
  const besides = read.printed === undefined ? {} : { printed: read.printed }
  return { ...base, runner: read.runner, failures, hollow, passed, counts, ...besides, ...judged }
}

const tailLength = 8_000

type Judgement = Pick<CheckResult, 'status' | 'message' | 'silent' | 'cut'>

/** What can be read where only the exit code decides: to be compared, not to judge by. */
function toldBesides(text: string): TestCounts | null {
  const told = readOutput(text, 'auto')?.parsed
  return told?.complete === true && told.counts.failed === 0 ? told.counts : null
}

/**
 * A report that was left decides, unless what was printed tells of failures that it does not have, or broke off where
 * nobody asked for a report: then anything that ran may have left it.
 */
function readingOf(output: CheckOutput, all: string): Reading | null {
  const { parser, command, report, reports = [], root, truncated } = output
  const printed = readOutput(command === undefined ? all : `$ ${command}\n${all}`, parser)
  const asked = parser !== 'exit-code' || (report ?? null) !== null
  if (!asked || reports.length === 0) return printed
  const left = readReports(reports.map((one) => ({ ...one, text: one.text === null ? null : plain(one.text, root) })))
  const hidden = left.parsed.complete && left.parsed.counts.failed === 0 && (printed?.parsed.counts.failed ?? 0) > 0
  const promised = (report ?? null) !== null || command?.includes('ROPEWALK_REPORT') !== false || truncated
  const uncalledFor = !promised && printed?.parsed.complete === false
  if (hidden || uncalledFor) return printed
  const told = printed?.parsed.complete === true && left.parsed.complete && !truncated
  return told ? { ...left, printed: printed.parsed.counts } : left
}

/** Of a file that could not be loaded the report says only that; what the loader said is printed before it. */
function withCauses(failures: TestFailure[], text: string): TestFailure[] {
  return failures.map((failure, index) => {
    if (index >= 20 || failure.file === null || !isFileName(failure.test)) return failure
    const cause = saidBefore(failure.test, text)
    return cause === '' ? failure : { ...failure, error: withErrorFirst(cause, failure.error) }
  })
}

const longestCause = 3_000

/** What stands between the result before and this one. */
function saidBefore(test: string, text: string): string {
  const at = text.search(new RegExp(`^(?:# Subtest: ${escaped(test)}$|✖ ${escaped(test)} \\()`, 'm'))
  if (at === -1) return ''
  const lines = text.slice(Math.max(0, at - longestCause), at).split('\n')
  const result = lines.findLastIndex((line) => /^\s*(?:(?:not )?ok \d|\.\.\.$|TAP version|[✔✖▶ℹ])/.test(line))
  return lines
    .slice(result + 1)
    .map((line) => line.replace(/^# ?/, ''))
    .join('\n')
    .trim()
}

function withErrorFirst(cause: string, otherwise: string): string {
  const error = /^(?:\w*(?:Error|Exception)\b.*|.*: (?:command )?not found)$/m.exec(cause)?.[0] ?? otherwise
  return `${error}\n${cause}`
}

function endedOtherwise({ exit }: CheckOutput, tail: string): Judgement | null {
  switch (exit.reason) {
    case 'timeout':
      return { status: 'timeout', message: waitsForChanges(tail) ?? 'it did not finish in time and was killed' }
    case 'idle':
      return { status: 'timeout', message: 'it printed nothing for too long and was killed' }
    case 'signalled':
      return { status: 'crash', message: `it was killed by ${exit.signal ?? 'a signal'}` }
    case 'aborted':
      return { status: 'crash', message: 'it was stopped before it had finished' }
    case 'not-found':
      return { status: 'crash', message: 'the command was not found' }
    case 'exited':
    case 'lingered':
      return null
  }
}

function statusOf({ parsed, source }: Reading, output: CheckOutput): Judgement {
  const { exit, truncated, report = null } = output
  const { counts } = parsed
  if (report !== null && source === 'output') return leftNoReport(report, parsed, output)
  if (!parsed.complete && !(truncated && source === 'output' && parsed.summarised))
    return {
      status: 'crash',
      message: parsed.problem ?? 'the report is not complete',
      ...(exit.code === 0 && source === 'output' ? { cut: true } : {}),
    }
  if (counts.failed > 0 && parsed.unloadable && counts.passed === 0)
    return { status: 'build-error', message: 'what is to be tested could not be loaded or built' }
  if (counts.failed > 0)
    return { status: 'test-failure', message: `${counts.failed} of ${counts.total} tests failed${exitRemark(exit)}` }
  if (counts.passed === 0)
    return { status: 'no-tests', message: `no test was executed${counts.skipped > 0 ? ', all were skipped' : unread}` }
  if (exit.code !== 0)
    return { status: 'crash', message: `it ended with exit code ${exit.code} although every reported test passed` }
  return { status: 'pass', message: `${counts.passed} tests passed` }
}

/** Where scripts assert without a test runner, only their owner can say that the exit code is all there is. */
const unread = '; if its exit code says it all, set `parser: exit-code` for this check in ropewalk.yaml'

const exitRemark = (exit: CheckOutput['exit']): string =>
  exit.code === 0 ? ', though the command ended with exit code 0' : ''

/** What was printed is still told, but it proves nothing where a report was promised. */
function leftNoReport(report: string, { counts, unloadable }: Parsed, { exit }: CheckOutput): Judgement {
  const message = `the check left no report at ${report}${exit.code === 0 ? '' : ` (exit code ${exit.code})`}`
  if (counts.failed === 0) return { status: 'crash', message }
  return { status: unloadable && counts.passed === 0 ? 'build-error' : 'test-failure', message }
}

function withoutReport(output: CheckOutput, tail: string): Judgement {
  const { exit, report = null } = output
  const judged = byExitCode(output, tail)
  if (report === null) return judged
  const message = `the check left no report at ${report}${exit.code === 0 ? '' : ` (${judged.message})`}`
  return { status: exit.code === 0 ? 'crash' : judged.status, message }
}

/** Tests that did not run end as well as those that passed: only the user can say that the exit code is all there is. */
const silence = (name = '<name>'): string =>
  `the output of "${name}" tells of no test. If it is not meant to, say so: checks.${name}.parser: exit-code`

function byExitCode({ exit, parser, name }: CheckOutput, tail: string): Judgement {
  if (exit.code === 0 && parser === 'exit-code') return { status: 'pass', message: 'exit code 0' }
  if (exit.code === 0 && parser === 'auto') return { status: 'no-tests', silent: true, message: silence(name) }
  if (exit.code === 0) return { status: 'no-tests', message: `there is no report of ${parser} in its output` }
  if (exit.code === null || exit.code === 126 || exit.code === 127)
    return { status: 'crash', message: `the command could not be run (exit code ${exit.code})` }
  if (exit.code > 128) return { status: 'crash', message: `it died (exit code ${exit.code})` }
  const category = categoryOf(tail)
  const status = category === null || category === 'test' ? 'test-failure' : 'build-error'
  return { status, message: `exit code ${exit.code}` }
}

/** What all reports together tell, and whose they are: the one's that told most. */
export interface Reading {
  runner: Runner
  parsed: Parsed
  source: 'output' | 'file'
  /** What was printed besides the files, if it is whole. */
  printed?: TestCounts
}

/** What a run left; without its text one that nobody could read. */
export interface LeftReport {
  path: string
  text: string | null
  problem?: string
}

/**
 * Everybody who may have printed a report. Each reads, in linear time, the reports in a text, which several runs leave
 * one after the other. A name that settings may give, and that nobody reads, does not compile.
 */
const parsers: Record<Exclude<Runner, 'exit-code'>, (text: string) => Report[]> = {
  'node:test': readNodeTest,
  tap: (text) => readTap(text),
  junit: readJunit,
  vitest: readVitest,
  jest: readJest,
  mocha: readMocha,
  pytest: readPytest,
  unittest: readUnittest,
  go: readGo,
  cargo: readCargo,
}

type Found = Report & { runner: Runner }

/** What is in the output; all of it counts, also that of commands which ran one after the other. */
function readOutput(text: string, parser: ParserName): Reading | null {
  // Who printed nothing is nobody's report.
  if (text.trim() === '') return null
  const asked = parser === 'auto' ? everybody : everybody.filter((name) => name === parser)
  const whole = foundIn(text, asked)
  const found = whole.length > 0 || asked.length === 0 ? whole : lanesOf(text).flatMap((lane) => foundIn(lane, asked))
  return found.length === 0 ? null : { ...together(found), source: 'output' }
}

/** What was left in files. One that cannot be read makes them all incomplete. */
export function readReports(files: LeftReport[]): Reading {
  const found = files.flatMap(({ path, text, problem }) => {
    if (text === null) return [unreadable(path, problem ?? 'it is too long, or there are too many')]
    const reports = foundIn(text, everybody)
    if (reports.length === 0) return [unreadable(path, text.trim() === '' ? 'it is empty' : unknown)]
    return reports.map((one) => (one.complete ? one : { ...one, problem: incomplete(path, one.problem) }))
  })
  return { ...together(found), source: 'file' }
}

const everybody = Object.keys(parsers) as (keyof typeof parsers)[]

const foundIn = (text: string, asked: typeof everybody): Found[] =>
  standing(asked.flatMap((runner) => parsers[runner](text).map((report) => ({ ...report, runner }))))

function together(found: Found[]): Pick<Reading, 'runner' | 'parsed'> {
  const most = found.reduce((best, one) => (one.counts.total > best.counts.total ? one : best))
  return { runner: most.runner, parsed: combine(found) }
}

const unknown = 'it is of no format that is known, or broke off'

function unreadable(path: string, problem: string): Found {
  return { ...brokenOff({ from: 0, to: 0 }, { problem: incomplete(path, problem) }), runner: 'exit-code' }
}

const incomplete = (path: string, problem: string | null): string =>
  `the report ${path} is not complete: ${problem ?? 'it broke off'}`

// Tools that run the scripts of several packages at once put a name before each line.
const prefixes = [
  /^(@?[\w./-]+:[\w:-]+): ?/, // turbo
  /^([\w@./-]+ [\w:-]+)(?:: |:$|\$ )/, // pnpm
  /^\[([^\]\s]+)\] ?/, // concurrently, npm-run-all
]

/** What each of them printed, without the names; empty when the lines have none. */
export function lanesOf(text: string): string[] {
  const lines = text.split('\n')
  const prefix = prefixes.find((one) => lines.filter((line) => one.test(line)).length * 2 > lines.length)
  if (prefix === undefined) return []
  const lanes = new Map<string, string[]>()
  for (const line of lines) {
    const found = prefix.exec(line)
    if (found === null) continue
    const name = found[1]!
    if (!lanes.has(name)) lanes.set(name, [])
    lanes.get(name)!.push(line.slice(found[0].length))
  }
  return [...lanes.values()].map((lane) => lane.join('\n'))
}

/** Whether a line says how tests went. Of an output that is too long to keep, these lines are kept. */
export const isTelling = (line: string): boolean => line.length < longestTelling && tellingSign.test(line)

const longestTelling = 2_000

const tellingSigns = [
  // TAP and Node's own runner
  /^ {0,16}(?:not )?ok \d|^1\.\.\d|^TAP version|^# (?:Subtest:|tests|pass|fail|cancelled|skipped|todo|duration_ms) /,
  /^ℹ (?:tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) /,
  // ticks and crosses: Node, vitest, jest, mocha
  /^\s{0,40}[✔✖✓×✕▶] /,
  // vitest
  /^ ?(?:RUN|DEV) {2}v\d|^ *(?:Test Files|Tests|Type Errors|Errors|Start at|Duration) {2}/,
  // jest
  /^ ?(?:PASS|FAIL) +\S|^(?:Test Suites|Tests|Snapshots|Time): |^ {2}● /,
  // mocha
  /^ {1,40}\d+ (?:passing|pending|failing)\b|^ {2,40}\d+\) /,
  // pytest
  /^=+ .* =+$|^(?:FAILED|ERROR) \S|^\S+\.py::.* (?:PASSED|FAILED|ERROR|SKIPPED|XFAIL|XPASS)\b/,
  // unittest
  /^Ran \d+ tests? in |^(?:OK|FAILED|NO TESTS RAN)(?: \(|$)/,
  // go
  /^(?:ok {2}|FAIL|\? {3})\t|^ {0,40}--- (?:PASS|FAIL|SKIP): |^=== RUN |"Action":"(?:start|run|pass|fail|skip)"/,
  // cargo
  /^running \d+ tests?$|^test .* \.\.\. |^test result: |^---- .* stdout ----$|^error: could not compile/,
]

/** As one, because there can be millions of lines. */
const tellingSign = new RegExp(tellingSigns.map(({ source }) => source).join('|'))
