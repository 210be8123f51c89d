import { listOf, objectOf, textOf } from '../../../std/json.ts'
import type { Report, TestFailure } from '../check-result.ts'
import {
  brokenOff,
  countsOf,
  failure,
  jsonReports,
  namesOf,
  placeIn,
  report,
  splitAtFrame,
  tickedTests,
} from '../report.ts'

/** Mocha's reporters that end with a list of failures (spec, dot, min …), and its JSON. */
export const readMocha = (text: string): Report[] => [...readJson(text), ...readRuns(text)]

const summary = /^ *(\d+) passing \([^)\n]*\)\n(?: *(\d+) pending\n)?(?: *(\d+) failing\n)?/gm
const result = /^ {2,}(?:[✔✓] |\d+\) |- )/m

function readRuns(text: string): Report[] {
  const reports: Report[] = []
  let from = 0
  const all = [...`${text}\n`.matchAll(summary)]
  for (const [index, found] of all.entries()) {
    const end = found.index + found[0].length
    const after = text.slice(end, all[index + 1]?.index)
    const list = found[3] === undefined ? { failures: [], length: 0 } : readFailures(after, Number(found[3]))
    reports.push(runOf(text, found, { from, failures: list.failures }))
    from = end + list.length
  }
  if (reports.length === 0) reports.push(...withoutRun(text))
  const begun = /^ {2,}[✔✓] /m.exec(text.slice(from))
  if (begun !== null && isNamed(text))
    reports.push(brokenOff({ from: from + begun.index, to: text.length }, { certain: false }))
  return reports
}

/** It found no files, or could not load one. */
function withoutRun(text: string): Report[] {
  const none = /^Error: No test files found/m.exec(text)
  if (none !== null) return [report({ counts: countsOf({}), from: none.index, to: none.index + none[0].length })]
  const broken = /^ Exception during run: (.*)$/m.exec(text)
  if (broken === null) return []
  const stack = text.slice(broken.index + broken[0].length, broken.index + 6_000)
  const { file, line } = placeIn(stack.replace(/^(?!\s+at ).*$/gm, ''))
  const failures = [failure({ file, line, test: file ?? 'loading the tests', error: broken[1]!, stack })]
  const to = broken.index + broken[0].length
  return [report({ counts: countsOf({ failed: 1 }), failures, unloadable: true, from: broken.index, to })]
}

/** A tick is nobody's own: that mocha broke off is known only where the script that runs it was printed. */
const isNamed = (text: string): boolean => /^(?:> |\$ |.*\$ )(?:.*[\s/])?_?mocha(?:\s|$)/m.test(text)

function runOf(text: string, found: RegExpExecArray, at: { from: number; failures: TestFailure[] }): Report {
  const before = text.slice(at.from, found.index)
  const [passed, skipped, failed] = found.slice(1).map((figure) => Number(figure ?? 0)) as [number, number, number]
  const begin = result.exec(before)?.index
  return report({
    counts: countsOf({ passed, skipped, failed }),
    failures: at.failures,
    passed: namesOf(tickedTests(before, tree), passed),
    from: begin === undefined ? found.index : at.from + begin,
    to: found.index + found[0].length,
  })
}

const tree = { test: /^( {2,})[✔✓] (.+?)(?: \(\d+ms\))?$/, suite: /^( {2,})(\S.*)$/, between: ' ', file: null }

/** The numbered list after the figures: the path of names, ended by a colon, then the error. */
function readFailures(text: string, count: number): { failures: TestFailure[]; length: number } {
  const failures: TestFailure[] = []
  const starts = [...text.matchAll(/^ {2}(\d+)\) /gm)].filter((found, index) => Number(found[1]) === index + 1)
  let length = 0
  for (const [index, start] of starts.slice(0, count).entries()) {
    const end = starts[index + 1]?.index ?? text.length
    const block = text.slice(start.index + start[0].length, Math.min(end, start.index + 20_000))
    const colon = block.indexOf(':\n')
    failures.push(colon === -1 ? failureOf(block, '') : failureOf(block.slice(0, colon), block.slice(colon + 2)))
    length = start.index + start[0].length
  }
  return { failures, length }
}

function failureOf(head: string, body: string): TestFailure {
  const test = head
    .split('\n')
    .map((part) => part.trim())
    .join(' ')
  const said = splitAtFrame(body)
  const [stack] = said.stack.split(/\n\s*(?:\n|$)/, 1)
  const lines = said.error.split('\n', said.stack === '' ? 60 : undefined).map((line) => line.trim())
  return failure({ ...placeIn(stack!), test, error: lines.join('\n'), stack: stack! })
}

const readJson = (text: string): Report[] =>
  jsonReports(text, /^\{\s*"stats": ?\{/gm, { isOurs: () => true, read: jsonOf })

function jsonOf(value: Record<string, unknown>, at: { from: number; to: number }): Report {
  const stats = objectOf(value.stats)
  const passes = listOf(value.passes).map(objectOf)
  const failures = listOf(value.failures).map((one) => jsonFailure(objectOf(one)))
  const complete = passes.length === stats.passes && failures.length === stats.failures
  const counts = countsOf({
    passed: passes.length,
    failed: failures.length,
    skipped: listOf(value.pending).length,
  })
  const names = passes.map((test) => ({ full: textOf(test.fullTitle), own: textOf(test.title) }))
  const problem = complete ? null : 'its lists do not fit its figures'
  return report({ counts, failures, passed: namesOf(names, counts.passed), complete, problem, ...at })
}

function jsonFailure({ fullTitle, file, err }: Record<string, unknown>): TestFailure {
  const { message, stack } = objectOf(err)
  const place = placeIn(textOf(stack).split('\n').slice(1).join('\n'))
  const own = textOf(file) === '' ? place.file : textOf(file)
  const line = place.file === own ? place.line : null
  return failure({ file: own, line, test: textOf(fullTitle), error: firstOf(stack, message), stack: textOf(stack) })
}

/** The first line of a stack names the error's class too. */
const firstOf = (stack: unknown, message: unknown): string => {
  const [first] = textOf(stack).split('\n', 1)
  return first?.includes(textOf(message).split('\n', 1)[0]!) ? textOf(stack).split(/\n\s+at /, 1)[0]! : textOf(message)
}
