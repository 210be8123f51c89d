import { objectOf, parseJson, textOf } from '../../../std/json.ts'
import type { Report, TestFailure } from '../check-result.ts'
import { brokenOff, countsOf, failure, report } from '../report.ts'

/** `go test`, with and without -v, and its JSON. */
export function readGo(text: string): Report[] {
  const events = readEvents(text)
  return events.length > 0 ? events : readLines(text)
}

type Outcome = 'pass' | 'fail' | 'skip'

/** What is known of one package. Without -v its passed tests are not told, and it counts as one. */
interface GoPackage {
  name: string
  outcome: Outcome
  /** What stands after the package's name: `[build failed]`, `[no test files]` … */
  remark: string
  tests: Map<string, { outcome: Outcome | null; output: string }>
  /** What it printed outside of its tests. */
  output: string
  ended: boolean
}

const fresh = (name: string): GoPackage => ({
  ...{ name, outcome: 'skip', remark: '', output: '', ended: false },
  tests: new Map(),
})

const longest = 8_000

function keep(place: { output: string } | undefined, text: string): void {
  if (place !== undefined && place.output.length < longest) place.output += text
}

/** The events of `go test -json`, one on each line; what could not be built may stand between them as text. */
function readEvents(text: string): Report[] {
  const packages = new Map<string, GoPackage>()
  const named = (name: string): GoPackage => {
    if (!packages.has(name)) packages.set(name, fresh(name))
    return packages.get(name)!
  }
  const builds = readBuilds(text)
  const span = { from: -1, to: 0 }
  const unbuiltLines: RegExpExecArray[] = []
  let at = 0
  for (const line of text.split('\n')) {
    const event = /^\{.*"Action":"/.test(line) ? objectOf(parseJson(line)) : {}
    const isEvent = typeof event.Action === 'string'
    const unbuilt = /^FAIL\t(\S+) (\[(?:build|setup) failed\])$/.exec(line)
    if (isEvent || (unbuilt !== null && span.from !== -1)) {
      if (span.from === -1) span.from = at
      span.to = at + line.length
    }
    if (isEvent && event.Action === 'build-output') keepBuild(builds, event)
    else if (isEvent && textOf(event.Package) !== '') take(event, named(textOf(event.Package)))
    else if (!isEvent && unbuilt !== null) unbuiltLines.push(unbuilt)
    at += line.length + 1
  }
  if (packages.size === 0) return []
  for (const [, name, remark] of unbuiltLines) Object.assign(named(name!), { outcome: 'fail', remark, ended: true })
  const lost = [...packages.values()].find((one) => !one.ended)
  const problem = lost === undefined ? null : `there is no result of ${lost.name}`
  return [reportOf([...packages.values()], { ...span, builds, problem })]
}

function take(event: Record<string, unknown>, one: GoPackage): void {
  const [action, test] = [textOf(event.Action), textOf(event.Test)]
  if (test !== '' && !one.tests.has(test)) one.tests.set(test, { outcome: null, output: '' })
  const place = test === '' ? one : one.tests.get(test)!
  if (action === 'output') {
    const line = textOf(event.Output)
    const remark = test === '' ? /\[(?:build|setup) failed\]|\[no test\w*[\w ]*\]/.exec(line)?.[0] : undefined
    if (remark !== undefined) one.remark = remark
    if (!/^\s*(?:=== |--- (?:PASS|FAIL|SKIP): )/.test(line)) keep(place, line)
  } else if (action === 'pass' || action === 'fail' || action === 'skip') {
    place.outcome = action
    if (test === '') one.ended = true
    if (typeof event.FailedBuild === 'string') one.remark = '[build failed]'
  }
}

function keepBuild(builds: Map<string, string>, { ImportPath, Output }: Record<string, unknown>): void {
  const [name, line] = [textOf(ImportPath).split(' ')[0]!, textOf(Output)]
  const before = builds.get(name) ?? ''
  if (before.length < longest && !line.startsWith('# ')) builds.set(name, before + line)
}

const outcomes: Record<string, Outcome> = { PASS: 'pass', FAIL: 'fail', SKIP: 'skip', 'ok  ': 'pass', '?   ': 'skip' }

/** The text of `go test`: what tests print, then a line for each package. */
function readLines(text: string): Report[] {
  const packages: GoPackage[] = []
  const span = { from: -1, to: 0 }
  let open = openPackage()
  let at = 0
  for (const line of text.split('\n')) {
    const ended = /^(ok {2}|FAIL|\? {3})\t(\S+)(?:[\t ]+(.*))?$/.exec(line)
    if (ended !== null || /^(?:=== RUN {3}\S|--- (?:PASS|FAIL|SKIP): \S)/.test(line)) {
      if (span.from === -1) span.from = at
      span.to = at + line.length
    }
    if (ended !== null) {
      const [, outcome, name, remark = ''] = ended
      packages.push({ ...open.told, name: name!, outcome: outcomes[outcome!]!, remark })
      open = openPackage()
    } else open.add(line)
    at += line.length + 1
  }
  const isBegun = open.isBegun()
  if (packages.length === 0) return isBegun ? [brokenOff({ from: span.from, to: text.length })] : []
  const problem = isBegun ? 'tests were begun whose package has no result' : null
  return [reportOf(packages, { ...span, builds: readBuilds(text), problem })]
}

function openPackage() {
  const told = fresh('')
  const { tests } = told
  let current = ''
  let running = false
  return {
    told,
    isBegun: (): boolean => running && [...tests.values()].some((test) => test.outcome === null),
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
        tests.set(current, { outcome: outcomes[result[1]!]!, output: tests.get(current)?.output ?? '' })
      } else if (!/^(?:PASS|FAIL|exit status \d+)$/.test(line)) {
        keep(told, `${line}\n`)
        keep(tests.get(current), `${line}\n`)
      }
    },
  }
}

interface Run extends Pick<Report, 'from' | 'to' | 'problem'> {
  /** What the compiler said, by package. */
  builds: Map<string, string>
}

/** All packages of a run as one report. */
function reportOf(packages: GoPackage[], { builds, problem, from, to }: Run): Report {
  const failures = packages.flatMap((one) => failuresOf(one, builds))
  const names = packages.flatMap((one) => leaves(one, 'pass'))
  // One of which nothing is told but that it passed counts as one test.
  const untold = packages.filter(
    ({ outcome, tests, remark }) =>
      outcome === 'pass' && tests.size === 0 && !/\[no tests? (?:to run|files)\]/.test(remark),
  )
  const skipped = packages.flatMap((one) => leaves(one, 'skip')).length
  return report({
    counts: countsOf({ passed: names.length + untold.length, failed: failures.length, skipped }),
    failures,
    passed: untold.length === 0 ? packages.flatMap(passedOf) : null,
    unloadable: failures.length > 0 && packages.every((one) => one.outcome !== 'fail' || isUnbuilt(one)),
    complete: problem === null,
    summarised: problem === null,
    ...{ problem, from, to },
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
function readBuilds(text: string): Map<string, string> {
  const builds = new Map<string, string>()
  for (const found of text.matchAll(
    /^# (\S+)(?: \[.*\])?\n((?:\S+\.go:\d+.*(?:\n\t.*)*(?:\n|$)|too many errors\n)+)/gm,
  ))
    builds.set(found[1]!, found[2]!)
  return builds
}
