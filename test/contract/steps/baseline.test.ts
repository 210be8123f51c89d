import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { inputOf } from '../../../src/delivery/inputs/input.ts'
import type { Policy } from '../../../src/delivery/policy.ts'
import { performers } from '../../../src/steps/perform.ts'
import { defaults } from '../../default-settings.ts'
import { judged, verdictOf, wordsOf } from './verdicts.ts'
import { check, type Given, openYard } from './yard.ts'

/** Prints TAP: one test a line, `name file condition`. */
const runner = `bad=0; n=0; echo TAP version 13
while read -r name file condition; do
  n=$((n+1))
  if sh -c "$condition"; then echo "ok $n - $name"; continue; fi
  bad=1; printf 'not ok %s - %s\\n  ---\\n  location: %s:1:1\\n  error: no\\n  ...\\n' "$n" "$name" "$file"
done < tests
echo "1..$n"; exit $bad
`

const folder = () => mkdtempSync(join(tmpdir(), 'ropewalk-baseline-'))

const given = (tests: string, change: Record<string, string>, policy: Partial<Policy> = {}): Given => ({
  files: { 'run.sh': runner, tests, 'a.txt': 'a' },
  stories: [{ id: 'one' }],
  script: [{ do: [{ write: change }] }],
  policy: { judges: ['check:test'], checks: [check({ run: 'sh run.sh' })], ...policy },
})

describe('what the base fails', () => {
  it('is found out once, however often we are started anew', async () => {
    const log = join(folder(), 'runs')
    writeFileSync(log, '')
    const tests = `ancient old.test.js echo run >> ${log}; false\nholds a.test.js true\n`
    const yard = await openYard(given(tests, { 'b.txt': 'b' }))
    await yard.perform('CodeStory')
    const runs = () => readFileSync(log, 'utf8').split('\n').length - 1
    const step = await yard.due('Judge')
    const once = async () => {
      // As after a restart: nothing is left in memory.
      const perform = performers(yard.world)
      const state = await yard.state()
      const { signal } = new AbortController()
      return await perform({
        step,
        input: inputOf(state, step),
        standing: () => state,
        try: 1,
        mark: 'm',
        signal,
        record: async () => {},
      })
    }
    expect(verdictOf({ ending: (await once()) as never, interims: [] })).toMatchObject({
      status: 'passed',
      concerns: ['the base is red: ancient'],
    })
    expect(runs()).toBe(3)
    await once()
    expect(runs()).toBe(4)
  })

  it('is told once in a delivery, and all of it', async () => {
    const tests = 'ancient old.test.js false\nrusty old.test.js false\nholds a.test.js true\n'
    const two = given(tests, { 'b.txt': 'b' })
    const yard = await openYard(two)
    expect(await judged(yard)).toMatchObject({ concerns: ['the base is red: ancient, rusty'] })
    const again = await openYard(two)
    await again.perform('CodeStory')
    await again.tell({ type: 'ConcernRaised', story: null, text: 'the base is red: ancient, rusty' })
    expect(verdictOf(await again.perform('Judge'))).toMatchObject({ status: 'passed', concerns: [] })
  })

  it('is a stop where it cannot even be built, unless the story mends it', async () => {
    const policy = { checks: [check({ run: 'test -e mended || { echo "error TS1005: expected ;"; exit 2; }' })] }
    const left = await openYard(given('', { 'b.txt': 'b' }, policy))
    await left.perform('CodeStory')
    await expect(left.perform('Judge')).rejects.toMatchObject({
      name: 'TerminalError',
      message: expect.stringContaining('cannot do its work on the base commit'),
    })
    expect(await judged(await openYard(given('', { mended: '' }, policy)))).toMatchObject({ status: 'passed' })
    const bare = { checks: [check({ run: 'npm_is_not_here test' })] }
    await expect(judged(await openYard(given('', { 'b.txt': 'b' }, bare)))).rejects.toMatchObject({
      name: 'EnvironmentError',
      message: expect.stringMatching(/cannot be started.*npm_is_not_here: not found/s),
    })
    const worse = { checks: [check({ run: 'echo "error TS1005: $(cat a.txt)"; exit 2' })] }
    const other = await judged(await openYard(given('', { 'a.txt': 'another error' }, worse)))
    expect(wordsOf(other)[0]).toContain('also fails on the base commit')
  })
})

describe('flakes', () => {
  it('are told beside what fails each time, and not charged', async () => {
    const seen = join(folder(), 'seen')
    const tests = `flickers old.test.js test ! -e b.txt || test -e ${seen} || ! touch ${seen}\nbroken other.test.js test ! -e b.txt\nholds a.test.js true\n`
    const verdict = await judged(await openYard(given(tests, { 'b.txt': 'b' })))
    expect(verdict).toMatchObject({ status: 'findings', failures: 1, concerns: ['flaky: flickers'] })
    expect(wordsOf(verdict)).toEqual([expect.stringContaining('"broken"')])
  })

  it('that never leave a run green are no verdict, and no attempt', async () => {
    const seen = folder()
    const takes = (turn: number) => `test ! -e b.txt || test $(ls ${seen} | wc -l) -ne ${turn}`
    const count = `if test -e b.txt; then touch ${seen}/$(ls ${seen} | wc -l); fi`
    const tests = `counts z.test.js ${count}\nfirst x.test.js ${takes(1)}\nsecond y.test.js test $(ls ${seen} | wc -l) -lt 2\n`
    const yard = await openYard(
      given(tests, { 'b.txt': 'b' }, { limits: { ...defaults.limits, checks: 2, flakyReruns: 1 } }),
    )
    await yard.perform('CodeStory')
    const { ending, interims } = await yard.perform('Judge')
    expect(ending).toMatchObject({
      verdict: { status: 'none', reason: expect.stringContaining('each in other tests') },
    })
    expect(interims.map((event) => 'text' in event && event.text).sort()).toEqual(['flaky: first', 'flaky: second'])
    expect((await yard.due('Judge')).verb).toBe('Judge')
  })

  it('in quarantine are told, and charged only in a file that the story changed', async () => {
    const tests = 'net_is_slow net.test.js test ! -e b.txt\nholds a.test.js true\n'
    const policy = { quarantine: ['net_*'] }
    const yard = await openYard(given(tests, { 'b.txt': 'b' }, policy))
    expect(await judged(yard)).toMatchObject({
      status: 'passed',
      concerns: ['in quarantine, and fails: net_is_slow'],
      proof: { check: 'test' },
    })
    const own = await openYard(given(tests, { 'b.txt': 'b', 'net.test.js': '' }, policy))
    expect(await judged(own)).toMatchObject({ status: 'findings', failures: 1 })
  })

  it('in quarantine make a proof that holds only for what is compared with the same base', async () => {
    const keyWith = async (condition: string) => {
      const tests = `net_is_slow net.test.js ${condition}\nholds a.test.js true\n`
      const verdict = await judged(await openYard(given(tests, { 'b.txt': 'b' }, { quarantine: ['net_*'] })))
      return verdict.status === 'passed' ? verdict.proof?.environmentKey : null
    }
    const [whole, again, less] = [await keyWith('true'), await keyWith('true;'), await keyWith('test ! -e b.txt')]
    expect([typeof less, again === whole, less === whole]).toEqual(['string', true, false])
  })
})

describe('a runner that ends well without a word', () => {
  const verdictOn = async (mocha: string) => {
    const base = given('', { 'b.txt': 'b' }, { checks: [check({ run: 'sh ./mocha' })] })
    return await judged(await openYard({ ...base, files: { ...base.files, mocha } }))
  }

  it('proves nothing where it told of tests on the base', async () => {
    expect(await verdictOn("test -e b.txt || printf '  2 passing (1ms)\\n'")).toMatchObject({
      status: 'findings',
      findings: [{ rule: 'no-tests', severity: 'blocking', message: expect.stringContaining('tells of no test') }],
    })
  })

  it('is a stop where it is as silent on the base, and nobody is charged', async () => {
    await expect(verdictOn('true')).rejects.toMatchObject({
      name: 'EnvironmentError',
      message: expect.stringMatching(/the check "test" \(.*\) tells of no test, also on the base commit/),
      remedy: expect.stringContaining('checks.test.parser: exit-code'),
    })
  })

  it('passes where the story brings the first tests', async () => {
    const verdict = await verdictOn("test ! -e b.txt || printf '  2 passing (1ms)\\n'")
    expect(verdict).toMatchObject({ status: 'passed', proof: { counts: { passed: 2 } } })
    expect(verdict).not.toHaveProperty('proof.byExitCode')
  })

  it('is taken at its exit code, and the proof says so, where it was named so', async () => {
    const named = given('', { 'b.txt': 'b' }, { checks: [check({ run: 'true', parser: 'exit-code' })] })
    expect(await judged(await openYard(named))).toMatchObject({
      status: 'passed',
      proof: { counts: null, byExitCode: true },
    })
    const fewer = { run: 'test -e b.txt || echo 2; printf "ok 1 - a\\n1..1\\n"', parser: 'exit-code' } as const
    const told = given('', { 'b.txt': 'b' }, { checks: [check(fewer)] })
    expect(await judged(await openYard(told))).toMatchObject({ proof: { counts: { passed: 1 }, byExitCode: true } })
  })
})

describe('a machine-readable report', () => {
  const junit = (failures: string) =>
    `<testsuites><testsuite name="s" tests="2"><testcase name="adds" file="a.test.js"/><testcase name="b" file="b.test.js">${failures}</testcase></testsuite></testsuites>`

  const verdictWith = async (checks: Parameters<typeof check>[0], files: Record<string, string> = {}) => {
    const base = given('', { 'b.txt': 'b' }, { checks: [check(checks)] })
    return await judged(await openYard({ ...base, files: { ...base.files, ...files } }))
  }

  /** The base is green. */
  const which = 'test -e b.txt && echo red || echo green'

  it('is read from where the run was told to leave it', async () => {
    const files = { 'red.xml': junit('<failure message="no"/>'), 'green.xml': junit('') }
    const red = await verdictWith({ run: `cp ${'$'}(${which}).xml "${'$'}ROPEWALK_REPORT"`, parser: 'auto' }, files)
    expect(red).toMatchObject({ status: 'findings', findings: [{ rule: 'test-failed', file: 'b.test.js' }] })
    const green = await verdictWith({ run: 'cp green.xml "$ROPEWALK_REPORT"', parser: 'auto' }, files)
    expect(green).toMatchObject({ status: 'passed', proof: { counts: { total: 2, passed: 2 } } })
  })

  it('is read from where the check leaves it, and never an old one', async () => {
    const files = { 'red.xml': junit('<failure message="no"/>'), 'green.xml': junit(''), 'out/junit-1.xml': junit('') }
    const red = await verdictWith(
      { run: `mkdir -p out/x && cp $(${which}).xml out/x/junit-2.xml`, report: 'out/**/*.xml' },
      files,
    )
    expect(red).toMatchObject({ status: 'findings', findings: [{ file: 'b.test.js' }] })
    const stale = verdictWith({ run: 'true', report: 'out/*.xml', parser: 'junit' }, files)
    await expect(stale).rejects.toThrow('left no report at out/*.xml')
  })

  it('is one of many, and each of them counts', async () => {
    const files = { 'red.xml': junit('<failure message="no"/>'), 'green.xml': junit('') }
    const run = `mkdir out && tee $(seq -f out/a%g.xml 250) < green.xml > tee.out; cp $(${which}).xml out/z.xml`
    const red = await verdictWith({ run, report: 'out/*.xml' }, files)
    expect(red).toMatchObject({ status: 'findings', findings: [{ rule: 'test-failed', file: 'b.test.js' }] })
  })

  it('is not needed where the run has taken away the place for it', async () => {
    const run = 'rm -r "$(dirname "$ROPEWALK_REPORT")"; sh run.sh'
    expect(await verdictWith({ run }, { tests: 'holds a.test.js true\n' })).toMatchObject({ status: 'passed' })
  })
})
