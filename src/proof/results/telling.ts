/** Whether a line says how tests went. Of an output that is too long to keep, these lines are kept. */
export const isTelling = (line: string): boolean => line.length < longest && sign.test(line)

const longest = 2_000

const signs = [
  // TAP and Node's own runner
  /^ {0,16}(?:not )?ok \d|^1\.\.\d|^TAP version|^# (?:Subtest:|tests|pass|fail|cancelled|skipped|todo|duration_ms) /,
  /^ℹ (?:tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) /,
  // ticks and crosses: Node, vitest, jest, mocha
  /^\s{0,40}[✔✖✓×✕▶] /,
  // vitest
  /^ ?(?:RUN|DEV) {2}v\d|^ *(?:Test Files|Tests|Type Errors|Errors|Start at|Duration) {2}/,
  // jest
  /^ ?(?:PASS|FAIL) +\S|^(?:Test Suites|Tests|Snapshots|Time): |^ {2}● /,
  // mocha
  /^ {1,40}\d+ (?:passing|pending|failing)\b|^ {2,40}\d+\) /,
  // pytest
  /^=+ .* =+$|^(?:FAILED|ERROR) \S|^\S+\.py::.* (?:PASSED|FAILED|ERROR|SKIPPED|XFAIL|XPASS)\b/,
  // unittest
  /^Ran \d+ tests? in |^(?:OK|FAILED|NO TESTS RAN)(?: \(|$)/,
  // go
  /^(?:ok {2}|FAIL|\? {3})\t|^ {0,40}--- (?:PASS|FAIL|SKIP): |^=== RUN |"Action":"(?:start|run|pass|fail|skip)"/,
  // cargo
  /^running \d+ tests?$|^test .* \.\.\. |^test result: |^---- .* stdout ----$|^error: could not compile/,
]

/** As one, because there can be millions of lines. */
const sign = new RegExp(signs.map(({ source }) => source).join('|'))
