import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { inputOf } from '../../../src/delivery/inputs/input.ts'
import type { CheckPolicy } from '../../../src/delivery/policy.ts'
import type { Judge } from '../../../src/delivery/step.ts'
import { baseRuns } from '../../../src/steps/check/base-runs.ts'
import { judge } from '../../../src/steps/judge.ts'
import { judged, verdictOf, wordsOf } from './verdicts.ts'
import { check, type Given, openYard } from './yard.ts'

const test = (name: string, module: string, body: string) =>
  `import test from 'node:test'\nimport assert from 'node:assert'\nimport { value } from '${module}'\ntest('${name}', () => { ${body} })\n`

const files = {
  'src/a.mjs': 'export const value = 1\n',
  'src/b.mjs': "export { value } from './a.mjs'\n",
  'src/c.mjs': 'export const value = 3\n',
  "test/it's b.test.mjs": test('b', '../src/b.mjs', 'assert.equal(value, 1)'),
  'test/c.test.mjs': test('c', '../src/c.mjs', 'assert.equal(value, 3)'),
  'test/d.test.mjs': test('d', '../src/c.mjs', 'assert.equal(value, 3)'),
}

const given = (
  change: Record<string, string>,
  checks: Partial<CheckPolicy> = {},
  more: Partial<Given> = {},
): Given => ({
  files,
  stories: [{ id: 'one' }],
  script: [{ do: [{ write: change }] }],
  policy: {
    judges: ['related:test', 'check:test'],
    checks: [check({ run: 'node --test', related: 'node --test {files}', ...checks })],
  },
  ...more,
})

describe('related tests', () => {
  it('are chosen, run, told with their reasons, and prove nothing', async () => {
    const yard = await openYard(given({ 'src/a.mjs': 'export const value = 2 - 1\n' }))
    const verdict = await judged(yard)
    expect(wordsOf(verdict)).toEqual([
      "note: 1 of 3 test files have to do with the change: test/it's b.test.mjs imports src/b.mjs, which needs src/a.mjs",
    ])
    const whole = verdictOf(await yard.perform('Judge'))
    expect(whole).toMatchObject({ status: 'passed', proof: { check: 'test', counts: { total: 3 } } })
  })

  it('send the story back before the others run, with the findings of the check itself', async () => {
    const yard = await openYard(given({ 'src/a.mjs': 'export const value = 2\n' }))
    const verdict = await judged(yard)
    expect(verdict).toMatchObject({
      status: 'findings',
      failures: 1,
      findings: [{ source: 'check:test', rule: 'test-failed', line: 4 }, { rule: 'tests-chosen' }],
    })
    expect((await yard.due('CodeStory')).verb).toBe('CodeStory')
  })

  it('are left to the full check when there are none, most, or when nobody can tell', async () => {
    const none = await judged(await openYard(given({ 'src/e.mjs': '' })))
    expect(wordsOf(none)[0]).toMatch(/^note: left to the full check: none of 3 test files/)
    const most = await judged(await openYard(given({ 'src/c.mjs': 'export const value = 4 - 1\n' })))
    expect(wordsOf(most)[0]).toMatch(/^note: left to the full check: 2 of 3 test files are related/)
    const all = await judged(await openYard(given({ 'package.json': '{"private": true}' })))
    expect(wordsOf(all)[0]).toMatch(/package\.json may concern every test/)
  })

  it('run although they are most where the story is not judged by all of the check', async () => {
    const broken = given({ 'src/c.mjs': 'export const value = 4\n' }, { full: 'merge' })
    expect(await judged(await openYard(broken))).toMatchObject({ status: 'findings', failures: 2 })
  })

  it('are not charged with what they fail on the base too, though the story brings a test of its own', async () => {
    const red = { ...files, 'src/a.mjs': 'export const value = 0\n' }
    const change = {
      'src/b.mjs': "export * from './a.mjs'\n",
      'test/b.test.mjs': test('own', '../src/b.mjs', 'assert.ok(1)'),
    }
    const more = { ...red, 'test/e.test.mjs': '', 'test/f.test.mjs': '' }
    const yard = await openYard(given(change, {}, { files: more }))
    expect(await judged(yard)).toMatchObject({
      findings: [{ rule: 'tests-chosen' }],
      concerns: ['the base is red: b'],
    })
  })

  it('that only the story brings say nothing of the base, where none was there to fail', async () => {
    const change = {
      'src/new.mjs': 'export const value = 1\n',
      'test/new.test.mjs': test('new', '../src/new.mjs', 'assert.equal(value, 2)'),
    }
    const [failed] = wordsOf(await judged(await openYard(given(change))))
    expect(failed).toMatch(/the test "new" failed/)
    expect(failed).not.toMatch(/base commit/)
  })

  it('are not run on a tree that is proven already', async () => {
    const log = join(mkdtempSync(join(tmpdir(), 'ropewalk-related-')), 'runs')
    writeFileSync(log, '')
    const related = `echo related >> ${log}; node --test {files}`
    const first = given({ 'src/a.mjs': 'export const value = 2 - 1\n' }, { related })
    const yard = await openYard({ ...first, policy: { ...first.policy, judges: ['check:test'] } })
    await yard.perform('CodeStory')
    const step = { ...(await yard.due('Judge')), judge: 'related:test' } as Judge
    expect(verdictOf(await yard.perform('Judge'))).toMatchObject({ status: 'passed' })
    const { world, repository } = yard
    const state = await yard.state()
    const about = { step, input: inputOf(state, step), standing: () => state, try: 1, mark: 'm' }
    const { signal } = new AbortController()
    const again = await judge({ ...about, world, repository, signal, record: async () => {} }, baseRuns())
    expect(verdictOf({ ending: again, interims: [] })).toEqual({ status: 'passed', proof: null, concerns: [] })
    expect(readFileSync(log, 'utf8')).toBe('')
  })
})

describe('packages', () => {
  const manifest = (name: string, dependencies = {}) => JSON.stringify({ name, dependencies })
  const suite = (value: number) => test('holds', './index.mjs', `assert.equal(value, ${value})`)
  const packages = {
    'README.md': 'x',
    'pkg/a/package.json': manifest('a'),
    'pkg/a/index.mjs': 'export const value = 1\n',
    'pkg/a/a.test.mjs': suite(1),
    'pkg/b/package.json': manifest('b', { a: '*' }),
    'pkg/b/index.mjs': 'export const value = 2\n',
    'pkg/b/b.test.mjs': suite(2),
    'pkg/c/package.json': manifest('c'),
    'pkg/c/index.mjs': 'export const value = 3\n',
    'pkg/c/c.test.mjs': suite(3),
    'pkg/d/package.json': manifest('d'),
    'pkg/d/d.test.mjs': test('d', '../c/index.mjs', 'assert.ok(value)'),
  }
  const inPackages = { packages: ['pkg/*'], run: 'node --test' }

  it('each run the check in their own folder, and add up', async () => {
    const script = `echo TAP version 13; if grep -q good a.txt; then echo ok 1 - holds; else
      printf 'not ok 1 - holds\\n  ---\\n  location: a.test.js:1:1\\n  ...\\n'; fi; echo 1..1; grep -q good a.txt`
    const texts = Object.fromEntries(
      ['a', 'b', 'c'].flatMap((name) => [
        [`pkg/${name}/check.sh`, script],
        [`pkg/${name}/a.txt`, 'good'],
      ]),
    )
    const policy = {
      judges: ['check:test'],
      checks: [check({ packages: ['pkg/*'], run: 'sh check.sh', parser: 'auto' })],
    }
    const good = await openYard(given({ 'pkg/a/more.txt': '' }, {}, { files: texts, policy }))
    const verdict = await judged(good)
    if (verdict.status !== 'passed' || verdict.proof === null) throw new Error('no proof')
    expect(verdict.proof.counts).toMatchObject({ total: 3, passed: 3 })
    const output = Buffer.from((await good.world.blobs.get(verdict.proof.outputDigest))!).toString()
    expect(output).toMatch(/== pkg\/a ==[\s\S]*== pkg\/c ==/)
    const bad = await openYard(given({ 'pkg/c/a.txt': 'bad' }, {}, { files: texts, policy }))
    expect(await judged(bad)).toMatchObject({
      status: 'findings',
      failures: 1,
      findings: [{ file: 'pkg/c/a.test.js', rule: 'test-failed' }],
    })
  })

  it('that are touched, and those that depend on them, are related', async () => {
    const change = { 'pkg/a/index.mjs': 'export const value = 2 - 1\n' }
    const yard = await openYard(given(change, inPackages, { files: packages }))
    const [words] = wordsOf(await judged(yard))
    expect(words).toContain('2 of 4 test files')
    expect(words).toContain('pkg/a/a.test.mjs imports pkg/a/index.mjs')
    expect(words).toContain('pkg/b/b.test.mjs is in pkg/b, which depends on one that is touched')
  })

  it('have scripts that a story may not change', async () => {
    const scripted = { ...inPackages, run: 'sh check.sh' }
    const texts = { 'pkg/c/package.json': '{}', 'pkg/c/a.txt': 'good', 'pkg/c/check.sh': 'grep good a.txt' }
    const change = { 'pkg/c/a.txt': 'bad', 'pkg/c/check.sh': 'true' }
    const inspected = { judges: ['inspection'], checks: [check(scripted)] }
    const found = await judged(await openYard(given(change, {}, { files: texts, policy: inspected })))
    expect(found).toMatchObject({ status: 'findings', findings: [{ file: 'pkg/c/check.sh' }] })
  })

  it('must be there', async () => {
    const policy = { judges: ['check:test'], checks: [check({ ...inPackages, packages: ['nowhere/*'] })] }
    const verdict = await judged(await openYard(given({ 'x.mjs': '' }, {}, { policy })))
    expect(wordsOf(verdict)[0]).toContain('there is no folder called nowhere/*')
  })
})
