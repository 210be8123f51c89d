import type { Runner, TestCounts } from '../../delivery/judging/finding.ts'

/** What a check's run showed: one shape for every runner. */
export interface CheckResult {
  status: 'pass' | 'test-failure' | 'timeout' | 'build-error' | 'crash' | 'no-tests'
  runner: Runner
  /** Null when only the exit code is known. */
  counts: TestCounts | null
  /** What was printed besides, where a report that was left decides and both tell all of it. */
  printed?: TestCounts
  failures: TestFailure[]
  /** Files that were run as tests, and in which nothing was tested. */
  hollow: string[]
  /** Names of the tests that passed; null when they are not all known. */
  passed: string[] | null
  /** One sentence for people: why it has this status. */
  message: string
  /** The end of the output, for findings that have nothing better to show. */
  tail: string
  /** It ended well, and nothing in its output tells of a test. */
  silent?: true
  /** It ended well, and the end of its report is missing: a runner that exits at once may lose what nobody has read yet. */
  cut?: true
  /** What it seems to have been kept from, and how that is allowed. */
  lack?: string
}

export interface TestFailure {
  /** Relative to the root of the place it ran in, where known. */
  file: string | null
  line: number | null
  test: string
  error: string
  stack: string
}

/** What one report, or several together, tell. */
export interface Parsed {
  /** Suites are not counted, nor files in which nothing was tested. */
  counts: TestCounts
  failures: TestFailure[]
  /** Files in which nothing was tested. */
  hollow: string[]
  /** Names of the tests that passed, in full and as they stand in their file; null when not all of them are told. */
  passed: string[] | null
  /** The end of the report was there, and it adds up. */
  complete: boolean
  /** It does not add up, but ends with figures of its own: good enough when the middle was cut. */
  summarised: boolean
  /** The failures are files that could not even be loaded, or code that could not be built. */
  unloadable: boolean
  problem: string | null
}

/** One report, and where in the text it stands. */
export interface Report extends Parsed {
  from: number
  to: number
  /** False: only a likeness of a report, which counts where there is nothing better. */
  certain: boolean
}
