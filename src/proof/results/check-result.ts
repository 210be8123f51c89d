import type { TestCounts } from '../../delivery/judging/finding.ts'
import type { Runner } from '../../delivery/judging/runner.ts'

/** What a check's run showed: one shape for every runner. */
export interface CheckResult {
  status: 'pass' | 'test-failure' | 'timeout' | 'build-error' | 'crash' | 'no-tests'
  runner: Runner
  /** Null when only the exit code is known. */
  counts: TestCounts | null
  failures: TestFailure[]
  /** Files that were run as tests, and in which nothing was tested. */
  hollow: string[]
  /** Names of the tests that passed; null when they are not all known. */
  passed: string[] | null
  /** One sentence for people: why it has this status. */
  message: string
  /** The end of the output, for findings that have nothing better to show. */
  tail: string
}

export interface TestFailure {
  /** Relative to the root of the place it ran in, where known. */
  file: string | null
  line: number | null
  test: string
  error: string
  stack: string
}

/** What a parser reads from the output of its runner. */
export interface Parsed {
  /** Suites are not counted, nor files in which nothing was tested. */
  counts: TestCounts
  failures: TestFailure[]
  /** Files in which nothing was tested. */
  hollow: string[]
  /** Names of the tests that passed, also of those that have tests within. */
  passed: string[]
  /** The end of the report was there, and it adds up. */
  complete: boolean
  /** It does not add up, but ends with figures of its own: good enough when the middle was cut. */
  summarised: boolean
  /** The failures are files that could not even be loaded. */
  unloadable: boolean
  problem: string | null
}

/** One test runner's output. Both functions are linear in the text. */
export interface Parser {
  name: Exclude<Runner, 'exit-code'>
  recognises(text: string): boolean
  parse(text: string): Parsed
}
