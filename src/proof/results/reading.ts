import type { TestCounts } from '../../delivery/judging/finding.ts'
import type { ParserName, Runner } from '../../delivery/judging/runner.ts'
import type { Parsed, Report } from './check-result.ts'
import { brokenOff, combine, standing } from './report.ts'
import { readCargo } from './runners/cargo.ts'
import { readGo } from './runners/go.ts'
import { readJest } from './runners/jest.ts'
import { readJunit } from './runners/junit.ts'
import { readMocha } from './runners/mocha.ts'
import { readNodeTest } from './runners/node-test.ts'
import { readPytest } from './runners/pytest.ts'
import { readTap } from './runners/tap.ts'
import { readUnittest } from './runners/unittest.ts'
import { readVitest } from './runners/vitest.ts'

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
export function readOutput(text: string, parser: ParserName): Reading | null {
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
