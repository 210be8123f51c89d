import type { Parser, Report, TestFailure } from '../check-result.ts'
import { isFileName, placeIn } from '../output-text.ts'

/** TAP 13 and 14, with subtests. */
export const tap: Parser = {
  read: (text) => readStreams(text).flatMap((stream) => (stream.ofNode() ? [] : [stream.result()])),
}

const isTap = (text: string): boolean =>
  /^TAP version 1[34]\s*$/m.test(text) || (/^1\.\.\d+\s*(?:#|$)/m.test(text) && /^(?:not )?ok\b/m.test(text))

/** Several runs one after the other print several streams. */
export function readStreams(text: string): Stream[] {
  if (!isTap(text)) return []
  const streams = [new Stream()]
  const lines = text.split('\n')
  const starts = startsOf(lines)
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!.trimEnd()
    if (/^TAP version 1[34]$/.test(line)) {
      if (streams.at(-1)!.started) streams.push(new Stream())
      streams.at(-1)!.started = true
      streams.at(-1)!.reach(starts[at]!, line)
      continue
    }
    const point = readPoint(line)
    if (point === null) {
      if (streams.at(-1)!.note(line)) streams.at(-1)!.reach(starts[at]!, line)
      continue
    }
    const diagnostic = readDiagnostic(lines, at + 1)
    if (streams.at(-1)!.isOver(point)) streams.push(new Stream())
    streams.at(-1)!.add(point, diagnostic.fields)
    streams.at(-1)!.reach(starts[at]!, line)
    at = diagnostic.end - 1
  }
  return streams.filter((stream) => stream.started)
}

function startsOf(lines: string[]): number[] {
  let at = 0
  return lines.map((line) => {
    const start = at
    at += line.length + 1
    return start
  })
}

/** One TAP stream as its lines come. */
export class Stream {
  started = false
  private plan: number | null = null
  private problem: string | null = null
  private depths: Depth[] = [depth()]
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
  ofNode(): boolean {
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
    this.failures.push({ ...place, test: point.name, error: named(fields.get('name'), error) + end, stack })
  }

  result(): Report {
    const { points } = this.depths[0]!
    const complete = this.problem === null && this.plan !== null && points === this.plan
    // Where the runner gives figures of its own they stand: a point beyond them was printed by a test.
    const summarised = this.problem === null && ['tests', 'pass', 'fail'].every((key) => this.summary.has(key))
    const counts = summarised ? this.summedUp() : this.counts
    const failures = counts.failed === 0 ? [] : this.failures
    return {
      counts,
      failures,
      hollow: this.hollow,
      passed: this.passed,
      complete,
      summarised,
      unloadable: failures.length > 0 && this.fileFailures === failures.length,
      problem: this.problem ?? (complete ? null : this.shortfall(points)),
      certain: true,
      from: this.from ?? 0,
      to: this.to,
    }
  }

  private shortfall(points: number): string {
    return this.plan === null
      ? 'the report has no plan: it ended early'
      : `the report promised ${this.plan} results and had ${points}`
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

interface Depth {
  points: number
  numbered: boolean
  failed: boolean
}

const depth = (): Depth => ({ points: 0, numbered: false, failed: false })

const failed = (point: Point): boolean => !point.ok && point.directive === null

const named = (name: string | undefined, error: string): string => (name === undefined ? error : `${name}: ${error}`)

function expectation(fields: Map<string, string>): string {
  const parts = ['operator', 'expected', 'actual', 'found', 'wanted'].filter((key) => fields.has(key))
  return parts.map((key) => `${key}: ${fields.get(key)}`).join(', ')
}

export interface Point {
  depth: number
  ok: boolean
  number: number | null
  name: string
  directive: 'skip' | 'todo' | null
}

/** A test point of TAP, or null for any other line. */
export function readPoint(line: string): Point | null {
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

export const unescaped = (name: string): string => name.trim().replaceAll('\\#', '#')

/** The indented YAML block after a test point, read field by field; deeper structure is not needed. */
export function readDiagnostic(lines: string[], from: number): { fields: Map<string, string>; end: number } {
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
