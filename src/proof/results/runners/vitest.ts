import type { TestCounts } from '../../../delivery/judging/finding.ts'
import type { Report, TestFailure } from '../check-result.ts'
import {
  brokenOff,
  countsOf,
  failure,
  figureIn,
  namesOf,
  placeIn,
  report,
  splitAtFrame,
  type TestName,
} from '../report.ts'
import { readJestJson } from './jest.ts'

/** Vitest's default and verbose reporters, and its JSON. */
export function readVitest(text: string): Report[] {
  const json = readJestJson(text, 'vitest')
  return json.length > 0 ? json : readRuns(text)
}

function readRuns(text: string): Report[] {
  const starts = [...text.matchAll(/^ ?(?:RUN|DEV) {2}v\d+\.\d+.*$/gm)].map((found) => found.index)
  if (starts.length === 0) return []
  // What failed is told on standard error, which comes after all of the standard output.
  const failures = readFailures(text)
  const runs = starts
    .map((from, index) => ({ from, to: starts[index + 1] ?? text.length }))
    .filter(({ from, to }) => !/^ ?BENCH {2}Summary$/m.test(text.slice(from, to)))
    .map((at) => runOf(text, at))
  const told = runs.findLastIndex((run) => run.counts.failed > 0)
  return runs.map((run, index) => (index === told ? withFailures(run, failures, runs) : run))
}

// A test may print something like it; the last one before the next run is the runner's own.
const summary =
  /^ *Test Files {2}(.*)\n *Tests {2}(.*)\n(?: *Type Errors {2}.*\n)?(?: *Errors {2}(\d+) errors?\n)?(?: *Start at {2}.*\n)? *(?:Duration|Time) {2}.*$/gm

function runOf(text: string, { from, to }: { from: number; to: number }): Report {
  const part = text.slice(from, to)
  const found = [...part.matchAll(summary)].at(-1)
  if (found === undefined) {
    if (/^No test files found/m.test(part)) return report({ counts: countsOf({}), from, to })
    return brokenOff({ from, to })
  }
  const [files, tests] = [figuresOf(found[1]!), figuresOf(found[2]!)]
  const errors = Number(found[3] ?? 0)
  const suites = tests.failed === 0 ? files.failed : 0
  const counts = countsOf({ ...tests, failed: tests.failed + suites + errors })
  const untold = tests.total - tests.passed - tests.failed - tests.skipped
  return report({
    counts,
    passed: namesOf(passedIn(part), tests.passed),
    complete: untold === 0,
    problem: untold === 0 ? null : `the report promised ${tests.total} tests, and ${untold} of them did not report`,
    from,
    to: from + found.index + found[0].length,
  })
}

/** `2 failed | 3 passed | 1 skipped | 1 todo (7)`, or `no tests`. */
function figuresOf(told: string): TestCounts {
  const of = (word: string): number => figureIn(told, word)
  const total = Number(/\((\d+)\)\s*$/.exec(told.slice(0, 200))?.[1] ?? 0)
  return {
    total,
    passed: of('passed') + of('expected fail'),
    failed: of('failed'),
    skipped: of('skipped') + of('todo'),
  }
}

const passedIn = (text: string): TestName[] =>
  [...text.matchAll(/^ *✓ (?: *\S+ +)?\S+\.[cm]?[jt]sx? > (.+)$/gm)].map((found) => {
    const full = withoutDuration(found[1]!)
    return { full, own: full.slice(full.lastIndexOf(' > ') + 1).replace(/^> /, '') }
  })

const withoutDuration = (name: string): string => {
  const duration = / \d+ ?ms$/.exec(name.slice(-20))
  return duration === null ? name : name.slice(0, -duration[0].length).trimEnd()
}

function withFailures(run: Report, { suites, tests, errors }: Failures, runs: Report[]): Report {
  const failures = [...suites, ...tests, ...errors]
  const others = runs.reduce((sum, one) => sum + (one === run ? 0 : one.counts.failed), 0)
  const failed = Math.max(run.counts.failed, failures.length - others)
  const { passed, skipped } = run.counts
  const unloadable = suites.length > 0 && tests.length === 0 && errors.length === 0
  return { ...run, counts: countsOf({ passed, skipped, failed }), failures, unloadable }
}

type Failures = Record<'suites' | 'tests' | 'errors', TestFailure[]>

/** Blocks under the headings `Failed Suites`, `Failed Tests` and `Unhandled Errors`, each ended by a rule. */
function readFailures(text: string): Failures {
  const failures: Failures = { suites: [], tests: [], errors: [] }
  let kind: keyof Failures | null = null
  // Several tests that fail in the same way share one block.
  let heads: string[] = []
  let body: string[] = []
  for (const line of text.split('\n')) {
    const heading = /^⎯+ (?:(Failed Suites|Failed Tests) \d+|(Unhandled|Uncaught) (\w+)) ⎯+$/.exec(line)
    if (heading !== null || /^⎯{8,}(?:\[\d+\/\d+\]⎯)?$/.test(line)) {
      for (const head of heads) if (kind !== null) failures[kind].push(failureOf(head, body, kind))
      heads = []
      body = []
    }
    if (heading !== null) {
      kind = heading[1] === 'Failed Suites' ? 'suites' : heading[1] === 'Failed Tests' ? 'tests' : 'errors'
      if (heading[2] !== undefined && heading[3] !== 'Errors') heads = [line]
    } else if (kind !== null && kind !== 'errors' && body.length === 0 && /^ ?FAIL {2,}\S/.test(line)) heads.push(line)
    else if (heads.length > 0) body.push(line)
  }
  return failures
}

function failureOf(head: string, body: string[], kind: keyof Failures): TestFailure {
  // A project's name may stand before the file.
  const name = head.replace(/^ ?FAIL {2,}/, '').replace(/^\S+ +(?=\S+\.[cm]?[jt]sx?(?: |$))/, '')
  const { error, stack } = splitAtFrame(body.join('\n'), /^ +❯ /m)
  const place = placeIn(stack)
  if (kind === 'errors') return failure({ ...place, test: 'an error that no test caught', error, stack })
  const [path, ...titles] = name.split(' > ')
  const file = path!.split(' [ ', 1)[0]!
  const line = place.file === file ? place.line : null
  return failure({ file, line, test: titles.length === 0 ? file : titles.join(' > '), error, stack })
}
