import type { Report, TestFailure } from '../check-result.ts'
import { isFileName } from '../output-text.ts'
import { brokenOff, report, splitAtFrame } from '../report.ts'
import { readTap } from './tap.ts'

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
  const failures = readFailures(text)
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
function readFailures(text: string): TestFailure[] {
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
