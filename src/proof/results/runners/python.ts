import type { Report, TestFailure } from '../check-result.ts'
import { brokenOff, countsOf, failure, figureIn, namesOf, report, type TestName } from '../report.ts'

const words = 'failed|passed|skipped|deselected|xfailed|xpassed|warnings?|errors?|rerun|subtests passed|subtests failed'
const figuresOf = `(?:no tests ran|no tests collected|(?:\\d+ (?:${words})(?:, )?)+)`
// A test may print something like it; the last one before the next session is the runner's own.
const summary = new RegExp(`^(?:=+ )?(${figuresOf})(?: \\([^)\\n]*\\))? in [\\d.]+s(?: \\([^)\\n]*\\))?(?: =+)?$`, 'gm')

/** What pytest prints, also with -q and -v, and with its plugins for workers and reruns. */
export function readPytest(text: string): Report[] {
  const starts = [...text.matchAll(/^=+ test session starts .*=+$/gm)].map((found) => found.index)
  const quiet = quietIn(text.slice(0, starts[0] ?? text.length))
  return [...quiet, ...starts.map((from, index) => sessionOf(text, { from, to: starts[index + 1] ?? text.length }))]
}

/** With -q there is no heading; lines of dots or the list of failures come before the figures. */
function quietIn(text: string): Report[] {
  const reports: Report[] = []
  let from = 0
  for (const found of text.matchAll(summary)) {
    const part = text.slice(from, found.index)
    const begin = /^(?:[.FEsxXR]+ *(?:\[ *\d+%\])?|=+ (?:ERRORS|FAILURES|short test summary info) =+)$/m.exec(part)
    const to = found.index + found[0].length
    if (begin !== null || /^(?:no tests ran|[^=]*\d (?:passed|failed|skipped))/.test(found[0])) {
      reports.push(sessionOf(text.slice(0, to), { from: begin === null ? found.index : from + begin.index, to }))
      from = to
    }
  }
  return reports
}

function sessionOf(text: string, { from, to }: { from: number; to: number }): Report {
  const part = text.slice(from, to)
  const found = [...part.matchAll(summary)].at(-1)
  if (found === undefined) return brokenOff({ from, to })
  const of = (word: string): number => figureIn(found[1]!, word)
  const failures = readFailures(part.slice(0, found.index))
  const counts = countsOf({
    passed: of('passed') + of('xpassed'),
    failed: of('failed') + of('errors?') + of('subtests failed'),
    skipped: of('skipped') + of('xfailed'),
  })
  return report({
    counts,
    failures: counts.failed === 0 ? [] : failures,
    passed: namesOf(passedIn(part), counts.passed),
    unloadable: failures.length > 0 && failures.every(({ file, test }) => file === test),
    from,
    to: from + found.index + found[0].length,
  })
}

function passedIn(text: string): TestName[] {
  const alone = /^(\S+?\.py::.+?) (?:PASSED|XPASS)\b.*$/gm
  const byWorkers = /^\[gw\d+\] \[ *\d+%\] (?:PASSED|XPASS) (\S+?\.py::.+)$/gm
  return [alone, byWorkers].flatMap((line) =>
    [...text.matchAll(line)].map((found) => ({
      full: found[1]!.trimEnd().slice(found[1]!.indexOf('::') + 2),
      own: found[1]!.trimEnd().split('::').at(-1)!,
    })),
  )
}

/** The list at the end tells which failed, the sections before it how. */
function readFailures(text: string): TestFailure[] {
  const list = text.split(/^=+ short test summary info =+$/m)
  const sections = readSections(list[0]!)
  if (list.length === 1) return sections.map(({ title, body }) => failureOf({ id: title, said: '', body }))
  // Tests of the same name in several files are told in the same order.
  const bodies = new Map<string, string[]>()
  for (const { title, body } of sections) bodies.set(title, [...(bodies.get(title) ?? []), body])
  return [...list.at(-1)!.matchAll(/^(?:FAILED|ERROR) (\S.*)$/gm)].map((found) => {
    const { id, said } = splitEntry(found[1]!)
    return failureOf({ id, said, body: bodies.get(titleOf(id))?.shift() ?? '' })
  })
}

/** `file::test[a - b] - error`: parameters may look like the dash before the error. */
function splitEntry(entry: string): { id: string; said: string } {
  const dash = entry.indexOf(' - ')
  const bracket = entry.indexOf('[')
  const inside = bracket !== -1 && bracket < dash && entry.indexOf('] - ', bracket)
  const end = inside === false ? dash : inside === -1 ? entry.length : Number(inside) + 1
  return dash === -1 ? { id: entry, said: '' } : { id: entry.slice(0, end), said: entry.slice(end + 3) }
}

const titleOf = (id: string): string => (id.includes('::') ? id.slice(id.indexOf('::') + 2).replaceAll('::', '.') : id)

function readSections(text: string): { title: string; body: string }[] {
  const heads = [...text.matchAll(/^(?:_+ (?![_ ]+$)(.+?) _+|=+ [\w ]+ =+)$/gm)]
  return heads.flatMap((head, index) => {
    if (head[1] === undefined) return []
    const title = head[1].replace(/^ERROR (?:at (?:setup|teardown) of|collecting) /, '')
    const from = head.index + head[0].length + 1
    return [{ title, body: text.slice(from, Math.min(heads[index + 1]?.index ?? text.length, from + 30_000)) }]
  })
}

function failureOf({ id, said, body }: { id: string; said: string; body: string }): TestFailure {
  const place = [...body.matchAll(/^(\S+\.py):(\d+): /gm)].at(-1)
  const error = [...body.matchAll(/^E {3}(.*)$/gm)].map((found) => found[1]!.replace(/^ {4}/, '')).join('\n')
  const known = /^([^\s:]+\.py)(?:::|$)/.exec(id)?.[1] ?? place?.[1] ?? null
  const test = id.includes('::') ? id.slice(id.indexOf('::') + 2) : id
  const line = place !== undefined && place[1] === known ? Number(place[2]) : null
  return failure({ file: known, line, test, error: error === '' ? said : error, stack: body })
}

/** Python's own unittest: dots or names, what failed, and two lines at the end. */
export const readUnittest = (text: string): Report[] =>
  [...text.matchAll(unittestSummary)].map((found, index, all) => reportOf(text, found, all[index - 1]))

const unittestSummary = /^Ran (\d+) tests? in [\d.]+s\r?\n\r?\n(OK|FAILED|NO TESTS RAN)(?: \(([^)\n]*)\))?$/gm

function reportOf(text: string, found: RegExpMatchArray, before: RegExpMatchArray | undefined): Report {
  const from = before === undefined ? 0 : before.index! + before[0].length
  const own = text.slice(from, found.index)
  const figure = (name: string): number => Number(new RegExp(`(?:^|, )${name}=(\\d+)`).exec(found[3] ?? '')?.[1] ?? 0)
  const failed = figure('failures') + figure('errors') + figure('unexpected successes')
  const skipped = figure('skipped')
  const passed = Math.max(0, Number(found[1]) - failed - skipped)
  const failures = failuresIn(own)
  const names = [...own.matchAll(/^(\w+) \([\w.]+\)(?:\n.*)? \.\.\. ok$/gm)].map(([, name]) => name!)
  return report({
    counts: countsOf({ passed, failed, skipped }),
    failures,
    passed: namesOf(
      names.map((name) => ({ full: name, own: name })),
      passed,
    ),
    unloadable: failures.length > 0 && failures.every(({ test }) => /\bFailedTest\b/.test(test)),
    from,
    to: found.index! + found[0].length,
  })
}

const block =
  /^={20,}\n(?:FAIL|ERROR): (\S+)(?: \(([^)\n]*)\))?.*\n(?:.*\n)?-{20,}\n([\s\S]*?)(?=\n={20,}\n|\n-{20,}\n|$(?![\s\S]))/gm

const failuresIn = (text: string): TestFailure[] =>
  [...text.matchAll(block)].map(([, name, place, body]) => {
    const at = [...body!.matchAll(/File "([^"\n]+)", line (\d+)/g)].at(-1)
    const error = body!.trim().split('\n').at(-1) ?? ''
    const test = /_FailedTest/.test(place ?? '') ? `FailedTest ${name}` : name!
    const where = at === undefined ? {} : { file: at[1]!, line: Number(at[2]) }
    return failure({ ...where, test, error, stack: body!.slice(0, 4_000) })
  })
