import type { Report, TestFailure } from '../check-result.ts'
import { brokenOff, isFileName, placeIn, report, splitAtFrame } from '../report.ts'

/** TAP 13 and 14, with subtests. */
export const readTap = (text: string, of: 'node' | 'others' = 'others'): Report[] =>
  readStreams(text).flatMap((stream) => (stream.isOfNode() === (of === 'node') ? [stream.result()] : []))

const isTap = (text: string): boolean =>
  /^TAP version 1[34]\s*$/m.test(text) || (/^1\.\.\d+\s*(?:#|$)/m.test(text) && /^(?:not )?ok\b/m.test(text))

/** Several runs one after the other print several streams. */
function readStreams(text: string): Stream[] {
  if (!isTap(text)) return []
  const streams: Stream[] = []
  let stream = new Stream()
  const next = (): void => {
    streams.push(stream)
    stream = new Stream()
  }
  const lines = text.split('\n')
  let [start, end] = [0, 0]
  /** Whether the line belongs to the report. */
  const take = (line: string, at: number): boolean => {
    const point = readPoint(line)
    if (/^TAP version 1[34]$/.test(line)) {
      if (stream.started) next()
      stream.started = true
    } else if (point === null) return stream.note(line)
    else {
      const diagnostic = readDiagnostic(lines, at + 1)
      if (stream.isOver(point)) next()
      stream.add(point, diagnostic.fields)
      end = diagnostic.end
    }
    return true
  }
  for (const [at, full] of lines.entries()) {
    const line = full.trimEnd()
    if (at >= end && take(line, at)) stream.reach(start, line)
    start += full.length + 1
  }
  return [...streams, stream].filter((one) => one.started)
}

/** One TAP stream as its lines come. */
class Stream {
  started = false
  private plan: number | null = null
  private problem: string | null = null
  private depths = [depth()]
  private counts = { total: 0, passed: 0, failed: 0, skipped: 0 }
  private failures: TestFailure[] = []
  private fileFailures = 0
  private hollow: string[] = []
  private passed: string[] = []
  private summary = new Map<string, number>()
  /** By depth: the name that the next point there is said to have. */
  private announced = new Map<number, string>()
  private from: number | null = null
  private to = 0

  /** It goes at least as far as this line. */
  reach(start: number, line: string): void {
    this.from ??= start
    this.to = start + line.length
  }

  /** Node's own runner ends its TAP with figures, and with how long it took. */
  isOfNode(): boolean {
    return this.summary.has('duration_ms')
  }

  /** A point that can only belong to another run. */
  isOver(point: Point): boolean {
    return point.depth === 0 && point.number === 1 && this.plan !== null && this.plan === this.depths[0]!.points
  }

  /** A line that is no point; true when it belongs to the report. */
  note(line: string): boolean {
    const plan = /^1\.\.(\d+)\s*(?:#.*)?$/.exec(line)
    if (plan) {
      this.started = true
      this.plan ??= Number(plan[1])
    }
    if (/^Bail out!/i.test(line)) this.problem = line
    const total = /^# (tests|pass|fail|cancelled|skipped|todo|duration_ms) ([\d.]+)$/.exec(line)
    if (total) this.summary.set(total[1]!, Number(total[2]))
    const subtest = /^((?: {4})*)# Subtest: (.*)$/.exec(line)
    if (subtest) this.announced.set(subtest[1]!.length / 4, unescaped(subtest[2]!))
    return plan !== null || total !== null
  }

  add(point: Point, fields: Map<string, string>): void {
    this.started = true
    this.depths[point.depth] ??= depth()
    const level = this.depths[point.depth]!
    // Points are numbered one after the other; a line that is out of order is something a test printed.
    // Only Node numbers its points for whole files otherwise, and announces them.
    const announced = this.announced.get(point.depth) === point.name
    if (point.number !== null && point.number !== level.points + 1 && !announced) return
    if (point.number === null && level.numbered) return
    level.points += 1
    level.numbered ||= point.number !== null
    const inner = this.depths[point.depth + 1]
    this.depths.length = point.depth + 1
    if (inner === undefined || inner.points === 0) this.leaf(point, fields)
    else if (failed(point) && !inner.failed) this.failure(point, fields)
    if (failed(point)) level.failed = true
    else if (point.directive === null) this.passed.push(point.name)
  }

  private leaf(point: Point, fields: Map<string, string>): void {
    if (failed(point)) {
      this.failure(point, fields)
      return
    }
    if (point.directive === null && point.depth === 0 && isFileName(point.name)) {
      this.hollow.push(point.name)
      return
    }
    this.counts[point.directive === null ? 'passed' : 'skipped'] += 1
    this.counts.total += 1
  }

  private failure(point: Point, fields: Map<string, string>): void {
    this.counts.failed += 1
    this.counts.total += 1
    if (point.depth === 0 && isFileName(point.name)) this.fileFailures += 1
    const stack = fields.get('stack') ?? ''
    const place = placeIn(fields.get('location') ?? fields.get('at') ?? stack)
    const error = fields.get('error') ?? fields.get('message') ?? expectation(fields)
    const end = (fields.get('signal') ?? '~') === '~' ? '' : ` (its process was killed by ${fields.get('signal')})`
    const name = fields.has('name') ? `${fields.get('name')}: ` : ''
    this.failures.push({ ...place, test: point.name, error: name + error + end, stack })
  }

  result(): Report {
    const { points } = this.depths[0]!
    const complete = this.problem === null && this.plan !== null && points === this.plan
    // Where the runner gives figures of its own they stand: a point beyond them was printed by a test.
    const summarised = this.problem === null && ['tests', 'pass', 'fail'].every((key) => this.summary.has(key))
    const counts = summarised ? this.summedUp() : this.counts
    const failures = counts.failed === 0 ? [] : this.failures
    const shortfall =
      this.plan === null
        ? 'the report has no plan: it ended early'
        : `the report promised ${this.plan} results and had ${points}`
    return report({
      ...{ counts, failures, complete, summarised },
      hollow: this.hollow,
      passed: this.passed,
      unloadable: failures.length > 0 && this.fileFailures === failures.length,
      problem: this.problem ?? (complete ? null : shortfall),
      from: this.from ?? 0,
      to: this.to,
    })
  }

  private summedUp(): Report['counts'] {
    const of = (key: string): number => this.summary.get(key) ?? 0
    return {
      total: of('tests') - this.hollow.length,
      passed: of('pass') - this.hollow.length,
      failed: of('fail') + of('cancelled'),
      skipped: of('skipped') + of('todo'),
    }
  }
}

const depth = () => ({ points: 0, numbered: false, failed: false })

const failed = (point: Point): boolean => !point.ok && point.directive === null

function expectation(fields: Map<string, string>): string {
  const parts = ['operator', 'expected', 'actual', 'found', 'wanted'].filter((key) => fields.has(key))
  return parts.map((key) => `${key}: ${fields.get(key)}`).join(', ')
}

interface Point {
  depth: number
  ok: boolean
  number: number | null
  name: string
  directive: 'skip' | 'todo' | null
}

/** A test point of TAP, or null for any other line. */
function readPoint(line: string): Point | null {
  const found = /^((?: {4})*)(not )?ok(?: (\d+))?(?: ?- | |$)(.*)$/.exec(line)
  if (!found) return null
  const described = /^(.*?)(?:(?:^|[^\\])#\s*(skip|todo)\b.*)?$/i.exec(found[4]!)!
  return {
    depth: found[1]!.length / 4,
    ok: found[2] === undefined,
    number: found[3] === undefined ? null : Number(found[3]),
    name: unescaped(described[1]!),
    directive: (described[2]?.toLowerCase() as 'skip' | 'todo' | undefined) ?? null,
  }
}

const unescaped = (name: string): string => name.trim().replaceAll('\\#', '#')

/** The indented YAML block after a test point, read field by field; deeper structure is not needed. */
function readDiagnostic(lines: string[], from: number): { fields: Map<string, string>; end: number } {
  const fields = new Map<string, string>()
  const opening = /^(\s+)---\s*$/.exec(lines[from] ?? '')
  if (!opening) return { fields, end: from }
  const indent = opening[1]!
  let at = from + 1
  let block: string | null = null
  for (; at < lines.length; at++) {
    const line = lines[at]!
    if (line.trimEnd() === `${indent}...`) return { fields, end: at + 1 }
    if (line.trim() !== '' && !line.startsWith(indent)) break
    const field = /^(\w+):\s?(.*)$/.exec(line.slice(indent.length))
    if (field) {
      block = /^[|>][-+]?\s*$/.test(field[2]!) ? field[1]! : null
      fields.set(field[1]!, block === null ? unquoted(field[2]!) : '')
    } else if (block !== null) append(fields, block, line.slice(indent.length + 2))
  }
  return { fields, end: at }
}

const longestField = 16_000

function append(fields: Map<string, string>, key: string, line: string): void {
  const text = fields.get(key) ?? ''
  if (text.length < longestField) fields.set(key, text === '' ? line : `${text}\n${line}`)
}

function unquoted(text: string): string {
  const quoted = /^(['"])(.*)\1$/.exec(text.trim())
  return quoted ? quoted[2]! : text.trim()
}

/** Node's own test runner: its spec reporter, or its TAP, which ends with a summary of its own. */
export const readNodeTest = (text: string): Report[] => [...readSpec(text), ...readTap(text, 'node')]

/** Each summary ends a run; results after the last one are of a run that broke off. */
function readSpec(text: string): Report[] {
  const reports: Report[] = []
  let from = 0
  let next = 0
  for (const found of text.matchAll(summary)) {
    // What failed is listed after the figures, up to where the next run begins.
    const end = found.index + found[0].length
    if (next !== -1 && next < end) next = nextResult(text, end)
    reports.push(runOf(text, { from, to: next === -1 ? text.length : next }, found))
    from = next === -1 ? text.length : next
  }
  const rest = reports.length === 0 ? text.search(anyResult) : nextResult(text, from)
  if (rest !== -1) reports.push({ ...runOf(text, { from: rest, to: text.length }, null), from: rest })
  return reports
}

function runOf(whole: string, at: { from: number; to: number }, found: RegExpExecArray | null): Report {
  const text = whole.slice(at.from, at.to)
  const hollow = [...text.matchAll(/^✔ (\S+) \([\d.]+ms\)$/gm)].map((one) => one[1]!).filter(isFileName)
  const failures = listedFailures(text)
  const [tests = 0, pass = 0, fail = 0, cancelled = 0, skipped = 0, todo = 0] = found?.slice(1).map(Number) ?? []
  const told = {
    counts: {
      total: Math.max(0, tests - hollow.length),
      passed: Math.max(0, pass - hollow.length),
      failed: fail + cancelled,
      skipped: skipped + todo,
    },
    failures,
    hollow,
    passed: [...text.matchAll(/^[ \t]*[✔▶] (.+?)(?: \([\d.]+ms\))?$/gm)].map((one) => one[1]!),
    summarised: false,
    unloadable: failures.length > 0 && failures.every((failure) => isFileName(failure.test)),
    from: Math.max(at.from, nextResult(whole, at.from)),
  }
  return found === null
    ? brokenOff({ from: told.from, to: at.to }, told)
    : report({ ...told, to: found.index + found[0].length })
}

// Only the whole block counts; a single line like it is something a test printed.
const summary =
  /^ℹ tests (\d+)\n(?:ℹ suites \d+\n)?ℹ pass (\d+)\nℹ fail (\d+)\nℹ cancelled (\d+)\nℹ skipped (\d+)\nℹ todo (\d+)\nℹ duration_ms [\d.]+$/gm

const anyResult = /^[ \t]*[✔✖] .* \(\d+\.\d{3,}ms\)$/m

/** Where the next passed test is reported; failed ones are listed once more at the end. */
function nextResult(text: string, from: number): number {
  const result = /^[ \t]*✔ .* \(\d+\.\d{3,}ms\)$/gm
  result.lastIndex = from
  return result.exec(text)?.index ?? -1
}

/** The list at the end, one entry per failure: where, name, then the error, indented. */
function listedFailures(text: string): TestFailure[] {
  const failures: TestFailure[] = []
  const lines = text.split('\n')
  let listed = false
  for (let at = 0; at < lines.length; at++) {
    if (lines[at] === '✖ failing tests:') listed = true
    const where = listed ? /^test at (.+):(\d+):\d+$/.exec(lines[at]!) : null
    const name = /^✖ (.+?)(?: \([\d.]+ms\))?( # .*)?$/.exec(lines[at + 1] ?? '')
    if (!where || !name || /^ # (?:todo|skip)/i.test(name[2] ?? '')) continue
    const { error, stack } = splitAtFrame(indentedFrom(lines, at + 2).join('\n'))
    const said = { error: error.trim(), stack: stack.trimEnd() }
    failures.push({ file: where[1]!, line: Number(where[2]), test: name[1]!, ...said })
  }
  return failures
}

function indentedFrom(lines: string[], from: number): string[] {
  const body: string[] = []
  for (let at = from; at < lines.length && body.length < 400; at++) {
    const line = lines[at]!
    if (line !== '' && !line.startsWith('  ')) break
    body.push(line.slice(2))
  }
  return body
}
