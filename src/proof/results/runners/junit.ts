import { Parser as XmlParser } from 'htmlparser2'
import type { Report, TestFailure } from '../check-result.ts'
import {
  brokenOff,
  countsOf,
  failure,
  isSourceFile,
  namesOf,
  placeIn,
  report,
  type TestName,
  withoutEscapes,
} from '../report.ts'

/** JUnit's XML, as many runners and build tools write it. */
export function readJunit(text: string): Report[] {
  const reports: Report[] = []
  const start = /(?:^[ \t]*|(?:\?>|-->)\s*)<testsuites?[\s/>]/gm
  for (let found = start.exec(text); found !== null; found = start.exec(text)) {
    const one = readDocument(text, found.index)
    reports.push(one)
    start.lastIndex = Math.max(one.to, start.lastIndex)
  }
  return reports
}

interface Case {
  attributes: Record<string, string>
  suites: string[]
  failure: { message: string; text: string } | null
  skipped: boolean
}

function readDocument(text: string, from: number): Report {
  const document = new Document()
  const xml = new XmlParser(
    {
      onopentag: (name, attributes) => document.open(name, attributes),
      ontext: (more) => document.say(more),
      onclosetag: (name, isImplied) => {
        const end = from + xml.endIndex
        // What another's end tag closes was left open; `<a/>` closes itself.
        if (!isImplied || text[end - 1] === '/') document.close(name, end + 1)
      },
    },
    { xmlMode: true },
  )
  for (let at = from; at < text.length && document.isOpen(); at += chunk) xml.write(text.slice(at, at + chunk))
  return document.result(from, text.length)
}

const chunk = 65_536

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

  isOpen(): boolean {
    return this.to === -1 && this.path.length <= deepest
  }

  open(name: string, attributes: Record<string, string>): void {
    if (!this.isOpen()) return
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
    if (isFailure(name)) this.current.failure ??= { message: attributes.message ?? '', text: '' }
  }

  close(name: string, end: number): void {
    if (!this.isOpen() || this.path.at(-1)?.name !== name) return
    this.path.pop()
    if (name === 'testcase' && this.current !== null) {
      this.cases.push(this.current)
      this.current = null
    }
    if (this.path.length === 0) this.to = end
  }

  say(text: string): void {
    const failed = this.current?.failure
    if (!this.isOpen() || failed == null || !isFailure(this.path.at(-1)?.name)) return
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

function nameOf({ attributes, suites }: Case): TestName {
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
