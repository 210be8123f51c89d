import type { Parsed, Parser, TestFailure } from './check-result.ts'
import { isFileName, placeIn } from './place-in-code.ts'
import { tap } from './tap.ts'

/** Node's own test runner: its spec reporter, or its TAP, which ends with a summary of its own. */
export const nodeTest: Parser = {
  name: 'node:test',
  recognises: (text) => isSpec(text) || isNodeTap(text),
  parse: (text) => (isSpec(text) || !isNodeTap(text) ? parseSpec(text) : tap.parse(text)),
}

const isSpec = (text: string): boolean =>
  /^ℹ tests \d+\n(?:ℹ suites \d+\n)?ℹ pass \d+$/m.test(text) || /^[ \t]*[✔✖] .* \(\d+\.\d{3,}ms\)$/m.test(text)

const isNodeTap = (text: string): boolean => /^# duration_ms [\d.]+$/m.test(text) && tap.recognises(text)

function parseSpec(text: string): Parsed {
  const summaries = [...text.matchAll(summary)].map(readSummary)
  const sum = (pick: (one: Summary) => number): number => summaries.reduce((total, one) => total + pick(one), 0)
  const hollow = hollowFiles(text)
  const failures = readFailures(text)
  return {
    counts: {
      total: Math.max(0, sum((one) => one.tests) - hollow.length),
      passed: Math.max(0, sum((one) => one.pass) - hollow.length),
      failed: sum((one) => one.fail + one.cancelled),
      skipped: sum((one) => one.skipped + one.todo),
    },
    failures,
    hollow,
    passed: [...text.matchAll(/^[ \t]*[✔▶] (.+?)(?: \([\d.]+ms\))?$/gm)].map((found) => found[1]!),
    complete: summaries.length > 0 && summaries.at(-1)!.end > lastResult(text),
    summarised: false,
    unloadable: failures.length > 0 && failures.every((failure) => isFileName(failure.test)),
    problem: summaries.length > 0 ? null : 'the report has no summary: it ended early',
  }
}

// Only the whole block counts; a single line like it is something a test printed.
const summary =
  /^ℹ tests (\d+)\n(?:ℹ suites \d+\n)?ℹ pass (\d+)\nℹ fail (\d+)\nℹ cancelled (\d+)\nℹ skipped (\d+)\nℹ todo (\d+)\nℹ duration_ms [\d.]+$/gm

interface Summary {
  tests: number
  pass: number
  fail: number
  cancelled: number
  skipped: number
  todo: number
  end: number
}

function readSummary(found: RegExpMatchArray): Summary {
  const [tests, pass, fail, cancelled, skipped, todo] = found.slice(1).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  return { tests, pass, fail, cancelled, skipped, todo, end: found.index! + found[0].length }
}

/** Where the last passed test is reported: a summary before it belongs to an earlier run. */
function lastResult(text: string): number {
  let last = -1
  for (const found of text.matchAll(/^[ \t]*✔ .* \(\d+\.\d{3,}ms\)$/gm)) last = found.index
  return last
}

const hollowFiles = (text: string): string[] =>
  [...text.matchAll(/^✔ (\S+) \([\d.]+ms\)$/gm)].map((found) => found[1]!).filter(isFileName)

/** The list at the end, one entry per failure: where, name, then the error, indented. */
function readFailures(text: string): TestFailure[] {
  const failures: TestFailure[] = []
  const lines = text.split('\n')
  let listed = false
  for (let at = 0; at < lines.length; at++) {
    if (lines[at] === '✖ failing tests:') listed = true
    const where = listed ? /^test at (.+):(\d+):\d+$/.exec(lines[at]!) : null
    const name = /^✖ (.+?)(?: \([\d.]+ms\))?( # .*)?$/.exec(lines[at + 1] ?? '')
    if (!where || !name || /^ # (?:todo|skip)/i.test(name[2] ?? '')) continue
    const body = indentedFrom(lines, at + 2)
    failures.push({ file: where[1]!, line: Number(where[2]), test: name[1]!, ...split(body) })
  }
  return failures.map(withPlaceOfCause)
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

function split(body: string[]): { error: string; stack: string } {
  const frame = body.findIndex((line) => /^\s+at /.test(line))
  const error = (frame === -1 ? body : body.slice(0, frame)).join('\n').trim()
  return { error, stack: frame === -1 ? '' : body.slice(frame).join('\n').trimEnd() }
}

/** Some versions give no usable file; the stack does. */
const withPlaceOfCause = (failure: TestFailure): TestFailure =>
  failure.file === null ? { ...failure, ...placeIn(failure.stack) } : failure
