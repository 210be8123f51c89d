import { describe, expect, it } from 'vitest'
import { judgeOutput } from '../../../src/proof/results/judge-output.ts'
import { openCheckOutput } from '../../../src/steps/check/output.ts'
import { judgeCase, readCase } from './cases.ts'

const noise = 'Error: nothing is wrong, this is what a chatty test prints, a line of a hundred characters or so….\n'

/** A recorded output with very much noise between some of its lines. */
function flooded(runner: string, name: string, { before, bytes }: { before: RegExp; bytes: number }) {
  const { stdout, stderr, ...rest } = readCase(runner, name)
  const output = openCheckOutput()
  let flooded = 0
  for (const line of `${stdout}\n${stderr}`.split('\n')) {
    if (before.test(line)) for (let sent = 0; sent < bytes; sent += noise.length) output.add(noise.trimEnd())
    if (before.test(line)) flooded += 1
    output.add(line)
  }
  expect(flooded).toBeGreaterThan(0)
  return { ...rest, stdout: output.text(), stderr: '', truncated: output.truncated() }
}

describe('an output that is too long to keep', () => {
  it('of 200 MB is judged by what is kept of it', () => {
    const output = flooded('vitest', 'green', { before: /green\/b\.test\.js/, bytes: 200_000_000 })
    expect(output.stdout.length).toBeLessThan(12_000_000)
    expect(judgeOutput(output)).toMatchObject({ status: 'pass', counts: { passed: 4 }, passed: null })
  })

  it.each<[string, string, RegExp]>([
    ['vitest', 'mixed', /Test Files/],
    ['jest', 'mixed', /^PASS/],
    ['mocha', 'mixed', /takes 1/],
    ['pytest', 'mixed', /^collected/],
    ['go', 'mixed-verbose', /^=== RUN {3}TestFine/],
    ['go', 'mixed-json', /"Action":"run".*TestFine/],
    ['cargo', 'mixed-no-fail-fast', /^test tests::fine/],
  ])('still tells what failed: %s %s', (runner, name, before) => {
    const output = flooded(runner, name, { before, bytes: 12_000_000 })
    expect(output.truncated).toBe(true)
    const names = (failures: { test: string }[]) => failures.map(({ test }) => test)
    const whole = judgeCase(runner, name)
    const result = judgeOutput(output)
    expect(result).toMatchObject({ status: 'test-failure', counts: whole.counts })
    expect(names(result.failures)).toEqual(names(whole.failures))
  })

  it('keeps the results that stand between the noise', () => {
    const output = openCheckOutput()
    for (const line of ['TAP version 13', 'ok 1 - a']) output.add(line)
    for (let sent = 0; sent < 12_000_000; sent += noise.length) output.add(noise.trimEnd())
    output.add('not ok 2 - b')
    for (let sent = 0; sent < 12_000_000; sent += noise.length) output.add(noise.trimEnd())
    output.add('1..2')
    const base = readCase('vitest', 'green')
    const result = judgeOutput({ ...base, stdout: output.text(), truncated: output.truncated() })
    expect(result).toMatchObject({ status: 'test-failure', failures: [{ test: 'b' }] })
  })

  it('of long lines that look like results is read in one pass', () => {
    const line = `${' ✓ a.test.js > '.padEnd(900_000)}x`
    const lines = [line, `FAILED a.py::${'b::'.repeat(300_000)}[`, `Tests:  ${'1'.repeat(900_000)} failed`]
    const stdout = `${lines.join('\n')}\n${readCase('vitest', 'green').stdout}${readCase('pytest', 'mixed').stdout}`
    expect(judgeOutput({ ...readCase('vitest', 'green'), stdout }).status).toBe('test-failure')
  })

  it('of beginnings that never end is read in one pass', () => {
    const endless = [
      '{"numTotalTestSuites":\n'.repeat(40_000),
      `<testsuite ${'a'.repeat(900_000)}></testsuite>\n`,
      '<testsuite>\n'.repeat(20_000),
      '  1 passing (1ms)\n  1 failing\n'.repeat(20_000),
    ]
    const figures = 'ℹ tests 1\nℹ pass 1\nℹ fail 0\nℹ cancelled 0\nℹ skipped 0\nℹ todo 0\nℹ duration_ms 1\n'
    endless.push(figures.repeat(20_000))
    const stdout = `${endless.join('')}${readCase('mocha', 'mixed').stdout}`
    expect(judgeOutput({ ...readCase('mocha', 'mixed'), stdout }).status).not.toBe('pass')
  })
})
