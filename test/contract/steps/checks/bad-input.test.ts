import { describe, expect, it } from 'vitest'
import type { Policy } from '../../../../src/delivery/policy.ts'
import { judged, wordsOf } from '../verdicts.ts'
import { check, openYard } from '../yard.ts'

/** The story brings the flag; what the check does then, after a base where it prints two green tests. */
async function verdictOn(then: string, settings: Partial<Policy['checks'][number]> = {}) {
  const run = `test -e flag || { printf '1..2\\nok 1 - a\\nok 2 - b\\n'; ${settings.report ? 'mkdir -p out; echo "$green" > out/r.xml;' : ''} exit 0; }\n${then}\n`
  const green = '<testsuite tests="2"><testcase name="a"/><testcase name="b"/></testsuite>'
  const yard = await openYard({
    files: { 'check.sh': `green='${green}'\n${run}` },
    stories: [{ id: 'one' }],
    script: [{ do: [{ write: { flag: '' } }] }],
    policy: { judges: ['check:test'], checks: [check({ run: 'sh check.sh', parser: 'auto', ...settings })] },
  })
  return await judged(yard)
}

describe('a check that says something odd', () => {
  it.each<[string, string, Partial<Policy['checks'][number]>, string]>([
    ['a report that is not there', 'true', { report: 'out/*.xml' }, 'left no report at out/*.xml'],
    [
      'a report that broke off',
      'mkdir -p out; echo "<testsuite><testcase name=" > out/r.xml',
      { report: 'out/*.xml' },
      'the report out/r.xml is not complete',
    ],
    ['a report that is empty', 'mkdir -p out; : > out/r.xml', { report: 'out/*.xml' }, 'it is empty'],
    ['nothing of the runner that was named', 'echo fine', { parser: 'pytest' }, 'there is no report of pytest'],
    ['no test', "printf 'TAP version 13\\n1..0\\n'", {}, 'no test was executed'],
    [
      'a runner that waits for changes',
      'echo "Waiting for file changes..."; sleep 60',
      { timeoutMs: 4_000 },
      'waits for changes',
    ],
  ])('%s is told as that', async (_, then, settings, words) => {
    const [first] = wordsOf(await verdictOn(then, settings))
    expect(first).toContain('blocking: ')
    expect(first).toContain(words)
  })

  it('a runner that nobody knows is judged by its exit code', async () => {
    const unknown = { run: 'echo "17 specimens examined"', parser: 'exit-code' } as const
    const alone = { counts: null, byExitCode: true }
    expect(await verdictOn('', unknown)).toMatchObject({ status: 'passed', proof: alone })
    const silenced = await verdictOn('echo done', { parser: 'exit-code' })
    expect(wordsOf(silenced)).toEqual([expect.stringContaining('test tells of no test, and of 2 on the base')])
  })

  it('is heard in spite of 200 MB of noise', async () => {
    const noise = 'yes "noise, noise and no end of it all" | head -c 200000000'
    const verdict = await verdictOn(`${noise}; printf '\\n1..2\\nok 1 - a\\nnot ok 2 - b\\n'; exit 1`, {
      timeoutMs: 120_000,
    })
    expect(wordsOf(verdict)).toEqual([expect.stringContaining('the test "b" failed')])
  }, 180_000)
})
