import type { TestCounts } from '../../../delivery/judging/finding.ts'
import { objectOf, parseJson, textOf } from '../../../std/json.ts'
import type { Parser, Report, TestFailure } from '../check-result.ts'
import { brokenOff, countsOf, failure, report } from '../report.ts'

/** `go test`, with and without -v, and its JSON. */
export const go: Parser = {
  read: (text) => {
    const events = readEvents(text)
    return events.length > 0 ? events : readLines(text)
  },
}

const longest = 8_000

/** The events of `go test -json`, one on each line; what could not be built may stand between them as text. */
export function readEvents(text: string): Report[] {
  const packages = new Map<string, GoPackage & { ended: boolean }>()
  const builds = readBuilds(text)
  const span = { from: -1, to: 0 }
  const lines: RegExpExecArray[] = []
  let at = 0
  for (const line of text.split('\n')) {
    const event = /^\{.*"Action":"/.test(line) ? objectOf(parseJson(line)) : {}
    const unbuilt = /^FAIL\t(\S+) (\[(?:build|setup) failed\])$/.exec(line)
    if (typeof event.Action === 'string' || (unbuilt !== null && span.from !== -1)) {
      if (span.from === -1) span.from = at
      span.to = at + line.length
    }
    if (typeof event.Action === 'string') take(event, packages, builds)
    else if (unbuilt !== null) lines.push(unbuilt)
    at += line.length + 1
  }
  if (packages.size === 0) return []
  for (const [, name, remark] of lines)
    Object.assign(packageOf(packages, name!), { outcome: 'fail', remark, ended: true })
  const whole = reportOf([...packages.values()], span, builds)
  const lost = [...packages.values()].find((one) => !one.ended)
  if (lost === undefined) return [whole]
  return [{ ...whole, complete: false, summarised: false, problem: `there is no result of ${lost.name}` }]
}

function packageOf<Found extends GoPackage & { ended: boolean }>(packages: Map<string, Found>, name: string): Found {
  const known = packages.get(name)
  if (known !== undefined) return known
  const fresh = { name, outcome: 'skip', remark: '', tests: new Map(), output: '', ended: false } as unknown as Found
  packages.set(name, fresh)
  return fresh
}

function take(
  event: Record<string, unknown>,
  packages: Map<string, GoPackage & { ended: boolean }>,
  builds: Map<string, string>,
): void {
  const [action, name, test] = [textOf(event.Action), textOf(event.Package), textOf(event.Test)]
  if (action === 'build-output') return keepBuild(builds, textOf(event.ImportPath), textOf(event.Output))
  if (name === '') return
  const one = packageOf(packages, name)
  if (test !== '' && !one.tests.has(test)) one.tests.set(test, { outcome: null, output: '' })
  const place = test === '' ? one : one.tests.get(test)!
  if (action === 'output') {
    const line = textOf(event.Output)
    const remark = test === '' ? /\[(?:build|setup) failed\]|\[no test\w*[\w ]*\]/.exec(line)?.[0] : undefined
    if (remark !== undefined) one.remark = remark
    if (place.output.length < longest && !/^\s*(?:=== |--- (?:PASS|FAIL|SKIP): )/.test(line)) place.output += line
  } else if (action === 'pass' || action === 'fail' || action === 'skip') {
    place.outcome = action satisfies Outcome
    if (test === '') one.ended = true
    if (typeof event.FailedBuild === 'string') one.remark = '[build failed]'
  }
}

function keepBuild(builds: Map<string, string>, path: string, line: string): void {
  const name = path.split(' ')[0]!
  const before = builds.get(name) ?? ''
  if (before.length < longest && !line.startsWith('# ')) builds.set(name, before + line)
}

/** The text of `go test`: what tests print, then a line for each package. */
export function readLines(text: string): Report[] {
  const run = { packages: [] as GoPackage[], from: -1, to: 0 }
  let open = openPackage()
  let at = 0
  for (const line of text.split('\n')) {
    const ended = /^(ok {2}|FAIL|\? {3})\t(\S+)(?:[\t ]+(.*))?$/.exec(line)
    if (ended !== null || open.isSign(line)) {
      if (run.from === -1) run.from = at
      run.to = at + line.length
    }
    if (ended !== null) {
      const outcome = ({ 'ok  ': 'pass', FAIL: 'fail' } as Record<string, Outcome>)[ended[1]!] ?? 'skip'
      run.packages.push(open.close({ name: ended[2]!, outcome, remark: ended[3] ?? '' }))
      open = openPackage()
    } else open.add(line)
    at += line.length + 1
  }
  const begun = open.begun()
  if (run.packages.length === 0) return begun ? [brokenOff({ from: run.from, to: text.length })] : []
  const whole = reportOf(run.packages, run, readBuilds(text))
  if (!begun) return [whole]
  return [{ ...whole, complete: false, summarised: false, problem: 'tests were begun whose package has no result' }]
}

const outcomes: Record<string, Outcome> = { PASS: 'pass', FAIL: 'fail', SKIP: 'skip' }
const longestOutput = 8_000

function openPackage() {
  const tests: GoPackage['tests'] = new Map()
  let current: string | null = null
  let running = false
  let output = ''
  return {
    isSign: (line: string): boolean => /^(?:=== RUN {3}\S|--- (?:PASS|FAIL|SKIP): \S)/.test(line),
    begun: (): boolean => running && [...tests.values()].some((test) => test.outcome === null),
    add(line: string): void {
      const run = /^=== (RUN|CONT|NAME|PAUSE) +(\S.*)$/.exec(line)
      const result = /^ *--- (PASS|FAIL|SKIP): (.+) \([\d.]+s\)$/.exec(line)
      if (run !== null) {
        running = true
        current = run[2]!
        if (run[1] === 'RUN') tests.set(current, { outcome: null, output: '' })
      } else if (result !== null && (!running || tests.has(result[2]!))) {
        // With -v every test is announced; a result of another one was printed by a test.
        current = result[2]!
        const before = tests.get(current)?.output ?? ''
        tests.set(current, { outcome: outcomes[result[1]!]!, output: before })
      } else keep(line)
    },
    close: (told: Pick<GoPackage, 'name' | 'outcome' | 'remark'>): GoPackage => ({ ...told, tests, output }),
  }

  function keep(line: string): void {
    if (/^(?:PASS|FAIL|exit status \d+)$/.test(line)) return
    if (output.length < longestOutput) output += `${line}\n`
    const test = current === null ? undefined : tests.get(current)
    if (test !== undefined && test.output.length < longestOutput) test.output += `${line}\n`
  }
}

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
