import type { Report, TestFailure } from '../../check-result.ts'
import { isFileName, placeIn } from '../../place-in-code.ts'
import { type Point, unescaped } from './point.ts'

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
