import type { Parser, Report, TestFailure } from '../check-result.ts'
import { isSourceFile, placeIn } from '../place-in-code.ts'
import { withoutEscapes } from '../plain.ts'
import { brokenOff, countsOf, failure, namesOf, report } from '../report.ts'
import { type Piece, readXml } from './xml.ts'

/** JUnit's XML, as many runners and build tools write it. */
export const junit: Parser = {
  read: (text) => {
    const reports: Report[] = []
    const start = /(?:^[ \t]*|(?:\?>|-->)\s*)<testsuites?[\s/>]/gm
    for (let found = start.exec(text); found !== null; found = start.exec(text)) {
      const one = readDocument(text, found.index)
      reports.push(one)
      start.lastIndex = Math.max(one.to, start.lastIndex)
    }
    return reports
  },
}

interface Case {
  attributes: Record<string, string>
  suites: string[]
  failure: { message: string; type: string; text: string } | null
  skipped: boolean
}

function readDocument(text: string, from: number): Report {
  const document = new Document()
  for (const piece of readXml(text, from)) {
    document.take(piece)
    if (document.to !== -1 || document.depth() > deepest) break
  }
  return document.result(from, text.length)
}

/** Nobody nests that deep. */
const deepest = 200

class Document {
  /** Where the root's end tag ends; -1 while it is open. */
  to = -1
  private path: { name: string; attributes: Record<string, string> }[] = []
  private cases: Case[] = []
  private current: Case | null = null
  /** Failures by the figures of the outermost suites: a suite may fail without a test in it. */
  private promised = 0

  depth(): number {
    return this.path.length
  }

  take(piece: Piece): void {
    if (piece.kind === 'open') this.open(piece)
    else if (piece.kind === 'close') this.close(piece)
    else if (this.current?.failure && isFailure(this.path.at(-1)?.name)) this.addText(piece.text)
  }

  private open({ name, attributes }: Extract<Piece, { kind: 'open' }>): void {
    const outermost = this.path.every((one) => one.name !== 'testsuite')
    if (name === 'testsuite' && outermost)
      this.promised += Number(attributes.failures ?? 0) + Number(attributes.errors ?? 0)
    const suites = this.path.flatMap((one) => (one.name === 'testsuite' ? [one.attributes.name ?? ''] : []))
    this.path.push({ name, attributes })
    if (name === 'testcase') this.current = { attributes, suites, failure: null, skipped: false }
    if (this.current === null) return
    if (name === 'skipped' || attributes.status === 'skipped' || attributes.status === 'disabled')
      this.current.skipped = true
    // Of several the first counts; what failed and then passed has other names.
    if (isFailure(name))
      this.current.failure ??= { message: attributes.message ?? '', type: attributes.type ?? '', text: '' }
  }

  private close({ name, end }: Extract<Piece, { kind: 'close' }>): void {
    if (this.path.at(-1)?.name !== name) return
    this.path.pop()
    if (name === 'testcase' && this.current !== null) {
      this.cases.push(this.current)
      this.current = null
    }
    if (this.path.length === 0) this.to = end
  }

  private addText(text: string): void {
    const failed = this.current!.failure!
    if (failed.text.length < 20_000) failed.text += text
  }

  result(from: number, length: number): Report {
    const failed = this.cases.filter((one) => one.failure !== null && !one.skipped)
    const passed = this.cases.filter((one) => one.failure === null && !one.skipped)
    const skipped = this.cases.length - failed.length - passed.length
    const failures = failed.map(failureOf)
    const excused = this.cases.filter((one) => one.failure !== null && one.skipped).length
    const counts = countsOf({
      passed: passed.length,
      skipped,
      failed: Math.max(failures.length, this.promised - excused),
    })
    const names = namesOf(passed.map(nameOf), passed.length)
    const unloadable = failures.length > 0 && failed.every(isFile)
    if (this.to === -1)
      return brokenOff({ from, to: length }, { counts, failures, problem: 'its XML broke off, or is not well formed' })
    return report({ counts, failures, passed: names, unloadable, from, to: this.to })
  }
}

const isFailure = (name: string | undefined): boolean => name === 'failure' || name === 'error'

/** A case that stands for a whole file. */
const isFile = ({ attributes, failure: failed }: Case): boolean =>
  isSourceFile(attributes.name ?? '') ||
  failed?.message === 'collection failure' ||
  attributes.classname === 'Test suite failed to run'

function nameOf({ attributes, suites }: Case): { full: string; own: string } {
  const own = (attributes.name ?? '').trim()
  const group = (attributes.classname ?? '').trim()
  // Node puts suites within suites and says "test" of each; others name the class, or repeat the test's own name.
  if (group === 'test' || group === '') return { full: [...suites.slice(group === '' ? 1 : 0), own].join(' > '), own }
  const plain = isSourceFile(group) || own.startsWith(group) || group.endsWith(own)
  return { full: plain ? own : `${group} > ${own}`, own: own.split(' > ').at(-1)! }
}

function failureOf(one: Case): TestFailure {
  const { message, text } = one.failure!
  const { file, classname, line } = one.attributes
  const said = withoutEscapes(text).trim()
  const place = placeIn(said)
  const named = file ?? (isSourceFile(classname ?? '') ? classname! : null)
  const known = named ?? (isSourceFile(one.attributes.name ?? '') ? one.attributes.name! : place.file)
  const at = place.file === known ? place.line : Number(line ?? Number.NaN)
  const bare = message === '' || message === 'collection failure'
  const error = bare
    ? (/^E {3}.*$/m.exec(said)?.[0].slice(4) ?? said.split(/\n\s+at /, 1)[0]!)
    : withoutEscapes(message)
  return failure({ file: known, line: Number.isNaN(at) ? null : at, test: nameOf(one).full, error, stack: said })
}
