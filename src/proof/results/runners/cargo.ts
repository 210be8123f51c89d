import type { Report, TestFailure } from '../check-result.ts'
import { brokenOff, countsOf, failure, namesOf, report } from '../report.ts'

/** `cargo test`: one report per test binary, or what the compiler said. */
export const readCargo = (text: string): Report[] => [...readBinaries(text), ...readBuild(text)]

function readBinaries(text: string): Report[] {
  const starts = [...text.matchAll(/^running (\d+) tests?$/gm)]
  const likely = starts.length > 0 && (/^test result: /m.test(text) || /^test .+ \.\.\. /m.test(text))
  if (!likely) return []
  return starts.map((start, index) => {
    const to = starts[index + 1]?.index ?? text.length
    return binaryOf(text.slice(start.index, to), Number(start[1]), { from: start.index, to })
  })
}

const summary =
  /^test result: (?:ok|FAILED)\. (\d+) passed; (\d+) failed; (\d+) ignored; (\d+) measured; \d+ filtered out/gm

function binaryOf(text: string, promised: number, { from, to }: { from: number; to: number }): Report {
  // A test may print something like it; only the runner's own fits what was promised.
  const found = [...text.matchAll(summary)].findLast(
    ([, ...figures]) => figures.reduce((sum, figure) => sum + Number(figure), 0) === promised,
  )
  if (found === undefined)
    return brokenOff({ from, to }, { problem: `${promised} tests were started, and there is no result of them` })
  const [passed, failed, ignored, measured] = found.slice(1).map(Number) as [number, number, number, number]
  const before = text.slice(0, found.index)
  const names = [...before.matchAll(/^test (.+?)(?: - should panic)? \.\.\. ok$/gm)].map((one) => one[1]!)
  return report({
    counts: countsOf({ passed: passed + measured, failed, skipped: ignored }),
    failures: failed === 0 ? [] : readFailures(before),
    passed: namesOf(
      names.map((full) => ({ full, own: full.split('::').at(-1)! })),
      passed,
    ),
    from,
    to: from + found.index + found[0].length,
  })
}

/** The list at the end tells which failed; what they printed stands before it. */
function readFailures(text: string): TestFailure[] {
  const list = text.slice(text.lastIndexOf('\nfailures:\n'))
  const names = [...list.matchAll(/^ {4}(\S.*)$/gm)].map((found) => found[1]!)
  const sections = new Map<string, string>()
  const heads = [...text.matchAll(/^---- (.+) stdout ----$/gm)]
  for (const [index, head] of heads.entries()) {
    const from = head.index + head[0].length + 1
    const end = heads[index + 1]?.index ?? text.lastIndexOf('\nfailures:\n')
    sections.set(head[1]!, text.slice(from, Math.min(Math.max(from, end), from + 20_000)))
  }
  return names.map((test) => failureOf(test, sections.get(test) ?? ''))
}

function failureOf(test: string, body: string): TestFailure {
  const place = /panicked at (?:'[\s\S]*?', )?([^\s:]+\.rs):(\d+):\d+/.exec(body)
  const trace = body.indexOf('\nstack backtrace:')
  const said = trace === -1 ? body : body.slice(0, trace)
  const error = said.replace(/^thread '.*' (?:\(\d+\) )?panicked at \S+:\d+:\d+:\n/m, '')
  const at = place === null ? {} : { file: place[1]!, line: Number(place[2]) }
  return failure({ ...at, test, error, stack: trace === -1 ? '' : body.slice(trace + 1) })
}

/** Nothing was run: the code, or the tests, did not compile. */
function readBuild(text: string): Report[] {
  const end = [...text.matchAll(/^error: could not compile `([^`]+)`.*$/gm)].at(-1)
  if (end === undefined) return []
  const errors = [...text.matchAll(/^error(\[E\d+\])?: (?!could not compile|aborting)(.*)\n +--> (\S+?):(\d+):\d+$/gm)]
  const failures = distinct(errors.map((found) => errorOf(text, found)))
  const untold = failure({ test: `the build of ${end[1]!}`, error: end[0] })
  return [
    report({
      counts: countsOf({ failed: Math.max(1, failures.length) }),
      failures: failures.length === 0 ? [untold] : failures,
      unloadable: true,
      from: errors[0]?.index ?? end.index,
      to: end.index + end[0].length,
    }),
  ]
}

function errorOf(text: string, found: RegExpExecArray): TestFailure {
  const rest = text.slice(found.index, found.index + 4_000).split('\n\n', 1)[0]!
  return failure({ file: found[3]!, line: Number(found[4]), test: `compiling: ${found[2]}`, error: rest })
}

/** The library and its tests are compiled apart, and say the same. */
const distinct = (failures: TestFailure[]): TestFailure[] => [
  ...new Map(failures.map((one) => [JSON.stringify([one.file, one.line, one.test]), one])).values(),
]
