import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Story } from '../../../../src/delivery/plan/plan.ts'
import type { Policy } from '../../../../src/delivery/policy.ts'
import { openReports } from '../../../../src/steps/check/output.ts'
import { defaults } from '../../../default-settings.ts'
import { judged, verdictOf, wordsOf } from '../verdicts.ts'
import { check, type Given, openYard } from '../yard.ts'

const junit = (count: number) =>
  `<testsuites><testsuite name="s" tests="${count}">${Array.from({ length: count }, (_, at) => `<testcase name="t${at}" file="a.test.js"/>`).join('')}</testsuite></testsuites>`

const test = (name: string) => `it('${name}', () => {\n  expect(f('${name}')).toBe('${name}')\n})\n`
const three = test('a') + test('b') + test('c')

/** Tells how many tests there are, and none of their names; the product says how many of them it keeps from running. */
const mocha = 'n=$(cat test/*.js | grep -c "^it("); n=$((n - $(cat product)))\necho "  $n passing (1ms)"\n'

const given = (
  change: Record<string, string | null>,
  more: Partial<Given> & { story?: Partial<Story> } = {},
): Given => {
  const { story = {}, ...rest } = more
  const gone = Object.keys(change).filter((path) => change[path] === null)
  const write = Object.fromEntries(Object.entries(change).filter(([, text]) => text !== null)) as Record<string, string>
  return {
    files: { product: '0', mocha, 'test/a.test.js': three, 'test/b.test.js': test('d') },
    stories: [{ id: 'one', ...story }],
    script: [{ do: [{ write }, ...(gone.length > 0 ? [{ delete: gone }] : [])] }],
    policy: { judges: ['check:test'], checks: [check({ run: 'sh ./mocha' })] },
    ...rest,
  }
}

describe('a runner that tells figures and no names', () => {
  const rows = mocha.replace('^it(', '^it(\\|^row(')
  const files = { product: '0', mocha: rows, 'test/a.test.js': `${three}row(1)\nrow(2)\n` }
  const fewer = { 'src/a.js': 'exports.a = 1\n', 'test/a.test.js': `${three}row(1)\n` }
  it.each<[string, Policy['judges'], string[]]>([
    ['to the guard, where the story edits tests beside the product', ['check:test', 'guard:test'], []],
    ['to nobody, where there is no guard', ['check:test'], ['tests-not-executed']],
  ])('leaves rows of a table that are gone %s', async (_, judges, rules) => {
    const policy = { judges, checks: [check({ run: 'sh ./mocha' })] }
    const yard = await openYard(given(fewer, { files, policy }))
    const verdict = await judged(yard)
    expect('findings' in verdict ? verdict.findings.map(({ rule }) => rule) : []).toEqual(rules)
  })

  it.each<[string, Record<string, string | null>, number, number]>([
    ['the product keeps a test from running', { product: '1' }, 3, 4],
    [
      'a test is taken away, and the product keeps another from running',
      { product: '1', 'test/b.test.js': null },
      2,
      4,
    ],
  ])('proves nothing where %s', async (_, change, has, had) => {
    const verdict = await judged(await openYard(given(change)))
    expect(wordsOf(verdict)).toEqual([
      expect.stringContaining(`blocking: test: test executed ${has} tests, and ${had} on the base`),
    ])
    expect(verdict).toMatchObject({ findings: [{ rule: 'tests-not-executed' }] })
  })

  it.each<[string, Record<string, string | null>, Partial<Story>]>([
    ['nothing is missing', { 'b.txt': 'b' }, {}],
    ['tests are added', { 'test/c.test.js': test('e') }, {}],
    ['a test is moved to another file', { 'test/b.test.js': null, 'test/c.test.js': test('d') }, {}],
    ['one test goes, which is for the inspection to judge', { 'test/b.test.js': null }, {}],
    [
      'a feature goes with what is made of it, as declared',
      { product: '2', 'test/b.test.js': null },
      { mayChange: ['test/**'] },
    ],
  ])('passes where %s', async (_, change, story) => {
    expect(await judged(await openYard(given(change, { story })))).toMatchObject({ status: 'passed', concerns: [] })
  })

  it('is told of where tests may be made from files that were changed', async () => {
    const files = {
      ...given({}).files,
      'test/fixtures/rows.json': '[1, 2]',
      mocha: mocha.replace('cat product', 'grep -vc 2 test/fixtures/rows.json'),
    }
    const yard = await openYard(given({ 'test/fixtures/rows.json': '[1]' }, { files }))
    expect(await judged(yard)).toMatchObject({
      status: 'passed',
      concerns: ['test executed 3 tests, and 4 on the base'],
    })
  })

  it('is told of where tests are added to a file that runs, and no more run than before', async () => {
    const files = { ...given({}).files, mocha: `echo test/b.test.js\n${mocha}` }
    const change = { product: '1', 'test/b.test.js': test('d') + test('e') }
    const verdict = await judged(await openYard(given(change, { files })))
    expect(verdict).toMatchObject({ status: 'passed', concerns: [expect.stringContaining('though tests were added')] })
  })
})

it('a check that tells of no test any more proves nothing where the base is on record with some', async () => {
  const run = 'if test -e quiet; then exit 0; fi; printf "1..1\\nok 1 - a\\n"'
  const yard = await openYard({
    files: { 'a.txt': 'a' },
    stories: [{ id: 'one' }, { id: 'two', dependsOn: ['one'] }],
    script: [{ story: 'two', do: [{ write: { quiet: '' } }] }, { do: [{ write: { 'b.txt': 'b' } }] }],
    policy: { judges: ['check:test'], checks: [check({ run })] },
  })
  for (const verb of ['CodeStory', 'Judge', 'ComposeLine', 'AdvanceLine'] as const) await yard.perform(verb)
  expect(wordsOf(await judged(yard))).toEqual([
    expect.stringContaining('blocking: test: test tells of no test, and of 1 on the base'),
  ])
})

describe('what is printed and what is left', () => {
  const run = 'sh ./mocha; cp product "$ROPEWALK_REPORT"'
  const of = (change: Record<string, string>, files: Record<string, string> = {}) =>
    given(change, {
      files: {
        mocha: 'echo "  $(cat count) passing (1ms)"\n',
        count: '2',
        product: junit(2),
        ...files,
      },
      policy: { judges: ['check:test'], checks: [check({ run })] },
    })

  it('must agree, for the product may have written the report', async () => {
    const verdict = await judged(await openYard(of({ product: junit(9) })))
    expect(wordsOf(verdict)).toEqual([
      expect.stringMatching(/^blocking: .* printed 2 passed and 0 failed tests, and left a report of 9 passed/),
    ])
  })

  it('agree in an honest story that adds tests', async () => {
    const verdict = await judged(await openYard(of({ count: '9', product: junit(9) })))
    expect(verdict).toMatchObject({ status: 'passed', concerns: [], proof: { counts: { passed: 9 } } })
  })

  it('may differ where they do so on the base, which is told', async () => {
    const verdict = await judged(await openYard(of({ 'b.txt': 'b' }, { count: '3' })))
    expect(verdict).toMatchObject({ status: 'passed', concerns: [expect.stringContaining('printed 3 passed')] })
  })

  it('may differ where nothing was printed before, which is told', async () => {
    const silent = { mocha: 'test ! -e loud || echo "  1 passing (1ms)"\n' }
    const verdict = await judged(await openYard(of({ loud: '' }, silent)))
    expect(verdict).toMatchObject({ status: 'passed', concerns: [expect.stringContaining('printed 1 passed')] })
  })
})

describe('files that a place is lent', () => {
  const keyWith = async (secret: string) => {
    const workspace = { ...defaults.workspace, copy: ['.env.test'] }
    const policy: Partial<Policy> = { judges: ['check:test'], checks: [check({ run: 'test -e .env.test' })], workspace }
    const yard = await openYard(given({ 'b.txt': 'b' }, { files: { '.gitignore': '.env.test\n' }, policy }))
    writeFileSync(join(yard.user, '.env.test'), secret)
    const verdict = await judged(yard)
    if (verdict.status !== 'passed' || verdict.proof === null) throw new Error('no proof')
    expect(JSON.stringify(verdict)).not.toContain(secret)
    return verdict.proof.environmentKey
  }

  it('are part of what a proof holds for, by a digest alone', async () => {
    const [one, same, other] = [await keyWith('KEY=one'), await keyWith('KEY=one'), await keyWith('KEY=other')]
    expect([one === same, one === other]).toEqual([true, false])
  })
})

it('more files than are looked through for reports are told', async () => {
  const place = mkdtempSync(join(tmpdir(), 'ropewalk-reports-'))
  for (const name of ['a', 'b', 'c']) mkdirSync(join(place, name))
  const reports = async (mostEntries: number) => {
    const open = await openReports({ folder: join(place, '.reports'), place, glob: '**/*.xml', mostEntries })
    for (const name of ['a', 'b', 'c']) writeFileSync(join(place, name, `${mostEntries}.xml`), junit(1))
    return await open.read((text) => text)
  }
  expect(await reports(2)).toContainEqual({
    path: '**/*.xml',
    text: null,
    problem: expect.stringMatching(/^there are more than 2 files to look through; .*"report"/),
  })
  expect((await reports(100)).map(({ path }) => path)).toEqual(['a/100.xml', 'b/100.xml', 'c/100.xml'])
})

describe('a repository without tests', () => {
  const one =
    "import test from 'node:test'\nimport assert from 'node:assert'\ntest('one', () => assert.ok(Math.abs(-1)))\n"
  const bare = (test: string, story: Partial<Story> = {}) =>
    given(
      { 'package.json': JSON.stringify({ scripts: { test } }), 'one.test.mjs': one },
      {
        story,
        files: { 'README.md': '# Empty\n' },
        policy: { judges: ['inspection', 'check:test'], checks: [check({ run: 'npm test' })] },
      },
    )

  it('gets its checks by a story that declares them, and the report says that there were none', async () => {
    const yard = await openYard(bare('node --test', { mayChange: ['package.json'] }))
    expect(await judged(yard)).toMatchObject({ status: 'passed' })
    expect(verdictOf(await yard.perform('Judge'))).toMatchObject({
      status: 'passed',
      proof: { counts: { passed: 1 } },
      concerns: ['greenfield: the base has no test; what test proves is what one has it test'],
    })
  })

  it.each(['true', 'node --test'])('does not get its checks by a story that does not: %s', async (test) => {
    expect(wordsOf(await judged(await openYard(bare(test))))).toContainEqual(
      expect.stringMatching(/^blocking: the script "test" is part of how the checks are run; .*mayChange/),
    )
  })

  it('says nothing of the kind where there are tests', async () => {
    const yard = await openYard(given({ 'b.txt': 'b' }))
    expect(await judged(yard)).toMatchObject({ status: 'passed', concerns: [] })
  })
})
