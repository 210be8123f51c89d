import type { Report } from '../../check-result.ts'
import { brokenOff } from '../../report.ts'
import { type GoPackage, type Outcome, readBuilds, reportOf } from './package.ts'

/** The text of `go test`: what tests print, then a line for each package. */
export function readLines(text: string): Report[] {
  const run = { packages: [] as GoPackage[], from: -1, to: 0 }
  let open = openPackage()
  let at = 0
  for (const line of text.split('\n')) {
    const ended = /^(ok {2}|FAIL|\? {3})\t(\S+)(?:[\t ]+(.*))?$/.exec(line)
    if (ended !== null || open.isSign(line)) {
      if (run.from === -1) run.from = at
      run.to = at + line.length
    }
    if (ended !== null) {
      const outcome = ({ 'ok  ': 'pass', FAIL: 'fail' } as Record<string, Outcome>)[ended[1]!] ?? 'skip'
      run.packages.push(open.close({ name: ended[2]!, outcome, remark: ended[3] ?? '' }))
      open = openPackage()
    } else open.add(line)
    at += line.length + 1
  }
  const begun = open.begun()
  if (run.packages.length === 0) return begun ? [brokenOff({ from: run.from, to: text.length })] : []
  const whole = reportOf(run.packages, run, readBuilds(text))
  if (!begun) return [whole]
  return [{ ...whole, complete: false, summarised: false, problem: 'tests were begun whose package has no result' }]
}

const outcomes: Record<string, Outcome> = { PASS: 'pass', FAIL: 'fail', SKIP: 'skip' }
const longest = 8_000

function openPackage() {
  const tests: GoPackage['tests'] = new Map()
  let current: string | null = null
  let running = false
  let output = ''
  return {
    isSign: (line: string): boolean => /^(?:=== RUN {3}\S|--- (?:PASS|FAIL|SKIP): \S)/.test(line),
    begun: (): boolean => running && [...tests.values()].some((test) => test.outcome === null),
    add(line: string): void {
      const run = /^=== (RUN|CONT|NAME|PAUSE) +(\S.*)$/.exec(line)
      const result = /^ *--- (PASS|FAIL|SKIP): (.+) \([\d.]+s\)$/.exec(line)
      if (run !== null) {
        running = true
        current = run[2]!
        if (run[1] === 'RUN') tests.set(current, { outcome: null, output: '' })
      } else if (result !== null && (!running || tests.has(result[2]!))) {
        // With -v every test is announced; a result of another one was printed by a test.
        current = result[2]!
        const before = tests.get(current)?.output ?? ''
        tests.set(current, { outcome: outcomes[result[1]!]!, output: before })
      } else keep(line)
    },
    close: (told: Pick<GoPackage, 'name' | 'outcome' | 'remark'>): GoPackage => ({ ...told, tests, output }),
  }

  function keep(line: string): void {
    if (/^(?:PASS|FAIL|exit status \d+)$/.test(line)) return
    if (output.length < longest) output += `${line}\n`
    const test = current === null ? undefined : tests.get(current)
    if (test !== undefined && test.output.length < longest) test.output += `${line}\n`
  }
}
