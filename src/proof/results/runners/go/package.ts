import type { TestCounts } from '../../../../delivery/judging/finding.ts'
import type { Report, TestFailure } from '../../check-result.ts'
import { countsOf, failure, report } from '../../report.ts'

export type Outcome = 'pass' | 'fail' | 'skip'

/** What is known of one package. Without -v its passed tests are not told, and it counts as one. */
export interface GoPackage {
  name: string
  outcome: Outcome
  /** What stands after the package's name: `[build failed]`, `[no test files]` … */
  remark: string
  tests: Map<string, { outcome: Outcome | null; output: string }>
  /** What it printed outside of its tests. */
  output: string
}

/** All packages of a run as one report. */
export function reportOf(packages: GoPackage[], at: Pick<Report, 'from' | 'to'>, builds: Map<string, string>): Report {
  const failures = packages.flatMap((one) => failuresOf(one, builds))
  const told = packages.map(countPackage)
  const sum = (pick: (counts: Omit<TestCounts, 'total'>) => number): number =>
    told.reduce((total, one) => total + pick(one), 0)
  const passed = sum((one) => one.passed)
  const names = packages.flatMap((one) => leaves(one, 'pass'))
  return report({
    counts: countsOf({ passed, failed: failures.length, skipped: sum((one) => one.skipped) }),
    failures,
    passed: names.length === passed ? packages.flatMap(passedOf) : null,
    unloadable: failures.length > 0 && packages.every((one) => one.outcome !== 'fail' || isUnbuilt(one)),
    ...at,
  })
}

const isUnbuilt = ({ remark }: GoPackage): boolean => /\[(?:build|setup) failed\]/.test(remark)

const passedOf = ({ tests }: GoPackage): string[] =>
  [...tests].flatMap(([name, test]) => (test.outcome === 'pass' ? [name] : []))

/** Tests without tests within. */
function leaves({ tests }: GoPackage, outcome: Outcome): string[] {
  const names = [...tests].filter(([, test]) => test.outcome === outcome).map(([name]) => name)
  const parents = new Set([...tests.keys()].flatMap(ancestors))
  return names.filter((name) => !parents.has(name))
}

/** A name may have any number of slashes; nobody nests that deep. */
const ancestors = (name: string): string[] => {
  const parts = name.split('/', deepest + 1)
  return parts.slice(0, -1).map((_, depth) => parts.slice(0, depth + 1).join('/'))
}

const deepest = 30

function countPackage(one: GoPackage): { passed: number; failed: number; skipped: number } {
  const [passed, skipped] = [leaves(one, 'pass').length, leaves(one, 'skip').length]
  const untold = one.outcome === 'pass' && one.tests.size === 0 && !/\[no tests? (?:to run|files)\]/.test(one.remark)
  return { passed: untold ? 1 : passed, failed: 0, skipped }
}

function failuresOf(one: GoPackage, builds: Map<string, string>): TestFailure[] {
  if (one.outcome !== 'fail') return []
  if (isUnbuilt(one)) return [unbuilt(one, builds.get(one.name) ?? one.output)]
  const failed = [...one.tests].filter(([, test]) => test.outcome === 'fail').map(([name]) => name)
  const parents = new Set(failed.flatMap(ancestors))
  // A test that was begun and has no result took the package with it.
  const lost = failed.length > 0 ? [] : [...one.tests].flatMap(([name, test]) => (test.outcome === null ? [name] : []))
  const names = [...failed.filter((name) => !parents.has(name)), ...lost.slice(-1)]
  if (names.length === 0)
    return [failure({ test: one.name, error: `${one.name} failed ${one.remark}`, stack: one.output })]
  return names.map((name) => testFailure(one, name))
}

function unbuilt({ name, remark }: GoPackage, output: string): TestFailure {
  const place = /^(\S+\.go):(\d+)/m.exec(output)
  const at = place === null ? {} : { file: place[1]!, line: Number(place[2]) }
  return failure({ ...at, test: name, error: output === '' ? remark : output })
}

function testFailure(one: GoPackage, name: string): TestFailure {
  const output = one.tests.get(name)!.output || one.output
  const place = /^\s*([\w.-]+_test\.go|[\w.-]+\.go):(\d+): /m.exec(output)
  const frame = /^\s+((?!\/)\S+_test\.go):(\d+)/m.exec(output)
  // Files are told without their folder, which the package's name ends with.
  if (place !== null)
    return failure({ file: `${one.name}/${place[1]}`, line: Number(place[2]), test: name, error: dedent(output) })
  const at = frame === null ? {} : { file: frame[1]!, line: Number(frame[2]) }
  const trace = output.search(/^goroutine \d+/m)
  const [error, stack] = trace === -1 ? [output, ''] : [output.slice(0, trace), output.slice(trace)]
  return failure({ ...at, test: name, error: error.trim() === '' ? `${one.name} ended early` : dedent(error), stack })
}

const dedent = (text: string): string => text.replace(/^[ \t]+/gm, '')

/** What the compiler said of each package: `# name [name.test]`, then its lines. */
export function readBuilds(text: string): Map<string, string> {
  const builds = new Map<string, string>()
  for (const found of text.matchAll(
    /^# (\S+)(?: \[.*\])?\n((?:\S+\.go:\d+.*(?:\n\t.*)*(?:\n|$)|too many errors\n)+)/gm,
  ))
    builds.set(found[1]!, found[2]!)
  return builds
}
