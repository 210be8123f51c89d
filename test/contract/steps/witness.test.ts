import { describe, expect, it } from 'vitest'
import type { Story } from '../../../src/delivery/plan/plan.ts'
import { judged, tellDurations, wordsOf } from './verdicts.ts'
import { check, type Given, openYard } from './yard.ts'

const head = "import test from 'node:test'\nimport assert from 'node:assert'\n"
const one = (name: string, body: string) => `test('${name}', () => {\n  ${body}\n})\n`
const using = (module: string, ...tests: string[]) => `${head}import * as m from '${module}'\n${tests.join('')}`

const files = {
  'src/sum.mjs': 'export const sum = (a, b) => a + b\n',
  'test/sum.test.mjs': using('../src/sum.mjs', one('adds', 'assert.equal(m.sum(1, 2), 3)')),
}

const given = (change: Record<string, string>, story: Partial<Story> = {}, more: Partial<Given> = {}): Given => ({
  files,
  stories: [{ id: 'one', ...story }],
  script: [{ do: [{ write: change }] }],
  policy: { judges: ['witness'], checks: [check({ run: 'node --test', related: 'node --test {files}' })] },
  ...more,
})

const three = 'export const sum = (a, b, c = 0) => a + b + c\n'
const adds = one('adds', 'assert.equal(m.sum(1, 2), 3)')
const addsThree = one('adds three', 'assert.equal(m.sum(1, 2, 3), 6)')

describe('the witness', () => {
  it('is content with a test that fails without the change, beside those that were there', async () => {
    const change = { 'src/sum.mjs': three, 'test/sum.test.mjs': using('../src/sum.mjs', adds, addsThree) }
    expect(await judged(await openYard(given(change)))).toMatchObject({ status: 'passed' })
  })

  it('is content with a test of a module that the story adds, with the helper it needs', async () => {
    const change = {
      'src/tax.mjs': 'export const tax = (n) => n / 5\n',
      'test/support/rates.mjs': 'export const rate = 5\n',
      'test/tax.test.mjs': `${using('../src/tax.mjs', one('taxes', 'assert.equal(m.tax(5), 1)'))}import './support/rates.mjs'\n`,
    }
    expect(await judged(await openYard(given(change)))).toMatchObject({ status: 'passed' })
  })

  it('names each test that passes without the change', async () => {
    const change = {
      'src/sum.mjs': three,
      'test/sum.test.mjs': using('../src/sum.mjs', adds, one('is still there', 'assert.ok(m.sum)')),
    }
    const yard = await openYard(given(change))
    expect(wordsOf(await judged(yard))).toEqual([
      'blocking: the test "is still there" passes without the change, so it tells nothing about it',
    ])
    expect((await yard.due('CodeStory')).verb).toBe('CodeStory')
  })

  it('does not ask of a product that its check makes anew, on the base as well', async () => {
    const made = (text: string) => ({ 'template.txt': text, 'src/sum.mjs': text })
    const run = 'cp template.txt src/sum.mjs && node --test'
    const only = { judges: ['witness'], checks: [check({ run })] }
    const change = { ...made(three), 'test/sum.test.mjs': using('../src/sum.mjs', adds, addsThree) }
    const built = { files: { ...files, ...made(files['src/sum.mjs']) }, policy: only }
    const words = wordsOf(await judged(await openYard(given(change, {}, built))))
    expect(words.filter((one) => one.startsWith('blocking'))).toEqual([])
  })

  it('does not take a test that cannot be loaded for another reason', async () => {
    const change = {
      'src/sum.mjs': three,
      'src/flag.mjs': '',
      'test/odd.test.mjs': `${head}import { existsSync } from 'node:fs'\nif (!existsSync('src/flag.mjs')) throw new Error('no luck')\n${one('odd', 'assert.ok(1)')}`,
    }
    expect(wordsOf(await judged(await openYard(given(change))))).toEqual([
      expect.stringMatching(/^suggestion: the tests in test\/odd\.test\.mjs cannot even be loaded .*no luck/),
      expect.stringMatching(/^blocking: the tests in test\/odd\.test\.mjs pass although every function/),
    ])
  })

  it('takes a test that hangs in the code as it was, and none where every test hangs there', async () => {
    const policy = (related: string) => ({
      policy: { judges: ['witness'], checks: [check({ run: 'node --test', related, timeoutMs: 3_000 })] },
    })
    const hang = 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)'
    const endless = { ...files, 'src/wait.mjs': `export const wait = () => ${hang}\n` }
    const mended = {
      'src/wait.mjs': 'export const wait = () => 1\n',
      'test/wait.test.mjs': using('../src/wait.mjs', one('ends', 'assert.equal(m.wait(), 1)')),
    }
    const fixed = await openYard(given(mended, {}, { files: endless, ...policy('node --test {files}') }))
    expect(await judged(fixed)).toMatchObject({ status: 'passed' })
    const related = 'test -e src/flag || exec sleep 60; node --test {files}'
    const change = { 'src/flag': '', 'src/sum.mjs': three, 'test/odd.test.mjs': `${head}${one('odd', 'assert.ok(1)')}` }
    expect(wordsOf(await judged(await openYard(given(change, {}, policy(related)))))).toEqual([
      expect.stringMatching(/^blocking: the tests in test\/odd\.test\.mjs pass although every function/),
    ])
  })

  it('says so when the tests do not even pass on the commit', async () => {
    const change = {
      'src/sum.mjs': three,
      'test/sum.test.mjs': using('../src/sum.mjs', one('adds', 'assert.equal(m.sum(1, 2), 4)')),
    }
    expect(await judged(await openYard(given(change)))).toMatchObject({
      status: 'findings',
      findings: [{ source: 'witness', rule: 'test-failed' }],
    })
  })

  it('hears declared characterisation the other way round', async () => {
    const kind = { tests: 'characterisation' } as const
    const guard = {
      'src/sum.mjs': three,
      'test/guard.test.mjs': using('../src/sum.mjs', one('holds', 'assert.equal(m.sum(2, 2), 4)')),
    }
    expect(await judged(await openYard(given(guard, kind)))).toMatchObject({ status: 'passed' })
    const fresh = { 'src/sum.mjs': three, 'test/guard.test.mjs': using('../src/sum.mjs', addsThree) }
    expect(await judged(await openYard(given(fresh, kind)))).toMatchObject({
      findings: [{ rule: 'not-characteristic' }],
    })
  })

  it.each([
    ['no code is changed', { 'test/more.test.mjs': using('../src/sum.mjs', one('more', 'assert.ok(m.sum)')) }, 'note'],
    ['no code is changed', { 'README.md': '# Sums\n' }, 'note'],
    ['the story changes code, and no test', { 'src/sum.mjs': three }, 'suggestion'],
    [
      'the story changes code, and no test',
      { 'src/sum.mjs': three, 'test/sum.test.mjs': `${files['test/sum.test.mjs']}\n` },
      'suggestion',
    ],
  ])('blocks nobody when %s', async (words, change: Record<string, string>, severity) => {
    const yard = await openYard(given(change))
    expect(wordsOf(await judged(yard))).toEqual([expect.stringContaining(`${severity}: ${words}`)])
    expect((await yard.due('ComposeLine')).verb).toBe('ComposeLine')
  })

  it('works by exit code alone', async () => {
    const shell = {
      files: { 'src/a.c': 'a\n' },
      policy: {
        judges: ['witness'],
        checks: [check({ run: 'true', related: 'for f in {files}; do sh "$f" || exit 1; done' })],
      },
    }
    const fails = { 'src/a.c': 'b\n', 'a_test.c': 'grep b src/a.c\n' }
    const passes = { 'src/a.c': 'b\n', 'a_test.go': 'test -e src/a.c\n' }
    expect(wordsOf(await judged(await openYard(given(fails, {}, shell))))).toEqual([])
    expect(wordsOf(await judged(await openYard(given(passes, {}, shell))))).toEqual([
      'blocking: the tests in a_test.go pass without the change, so they tell nothing about it',
      'suggestion: no check looks at src/a.c:1: nothing fails when the file is no code any more',
    ])
  })

  it('leaves it be where the base cannot be set up', async () => {
    const setup = { run: 'test -e src/made.mjs', timeoutMs: 10_000 }
    const change = {
      'src/made.mjs': '',
      'src/sum.mjs': three,
      'test/sum.test.mjs': using('../src/sum.mjs', adds, addsThree),
    }
    const yard = await openYard(given(change))
    await yard.perform('CodeStory')
    await yard.tell({ type: 'PolicyPinned', policy: { ...(await yard.state()).policy!, setup }, hash: 'p2' })
    const { ending } = await yard.perform('Judge')
    if (ending.type !== 'Judged') throw new Error('not judged')
    expect(wordsOf(ending.verdict)).toEqual([expect.stringContaining('note: the base cannot be set up')])
  })

  const without = { judges: ['witness'], checks: [check({ run: 'node --test' })] }
  const tax = 'export const tax = (n) => (n > 100 ? n * 4 : n * 5)\n'
  const shop = {
    'src/shop.mjs':
      'export const total = (items) => items.reduce((sum, one) => sum + one, 0)\nexport const isBig = (n) => n > 100\nexport const tax = (n) => n * 5\n',
    'test/shop.test.mjs': using('../src/shop.mjs', one('totals', 'assert.equal(m.total([1, 2]), 3)')),
  }
  const alone = (files: Record<string, string>, change: Record<string, string>): Given =>
    given(change, {}, { files, policy: without })

  it('sends back tests that notice nothing of the change, though they fail without it', async () => {
    const change = {
      'src/tax.mjs': 'export const tax = (n) => n * 5\nexport const isFree = (n) => n < 10\n',
      'test/tax.test.mjs': using('../src/tax.mjs', one('taxes', 'm.tax(1)\n  m.isFree(3)')),
    }
    const yard = await openYard(alone(files, change))
    expect(wordsOf(await judged(yard))).toEqual([
      expect.stringMatching(/^blocking: no test notices the change: it was broken on purpose at src\/tax\.mjs:/),
    ])
    expect((await yard.due('CodeStory')).verb).toBe('CodeStory')
    const telling = await openYard({ ...alone(files, change), policy: { ...without, mutation: 'tell' } })
    expect(wordsOf(await judged(telling))).toEqual([expect.stringMatching(/^suggestion: no test notices/)])
    const off = await openYard({ ...alone(files, change), policy: { ...without, mutation: 'off' } })
    expect(wordsOf(await judged(off))).toEqual([])
  })

  it('tells the changed lines that nobody notices, and holds nobody up for them', async () => {
    const change = {
      'src/tax.mjs': 'export const tax = (n) => n * 5\n\nexport const isFree = (n) => n < 10\n',
      'test/tax.test.mjs': using('../src/tax.mjs', one('taxes', 'assert.equal(m.tax(1), 5)')),
    }
    const verdict = await judged(await openYard(alone(files, change)))
    expect(wordsOf(verdict)).toContainEqual(
      expect.stringMatching(/^suggestion: nothing notices a change of src\/tax\.mjs:3 /),
    )
    expect(verdict).toMatchObject({ concerns: ['one: no test notices a change of src/tax.mjs:3'] })
  })

  it('tells a side of a choice that no test takes, however the code found out where it is', async () => {
    const rogue =
      "import { AsyncResource } from 'node:async_hooks'\nexport const sum = (a, b, c = 0) => Reflect.ownKeys(new AsyncResource('x')).length > 0 && a + b < 9 ? a + b + c : 0\n"
    const change = { 'src/sum.mjs': rogue, 'test/sum.test.mjs': using('../src/sum.mjs', adds, addsThree) }
    const verdict = await judged(await openYard(alone(files, change)))
    expect(wordsOf(verdict).join('\n')).toMatch(/nothing notices a change of src\/sum\.mjs:2 \(what is given otherwise/)
  })

  it('lets a refactoring be, with tests that describe what was there', async () => {
    const change = {
      'src/shop.mjs': shop['src/shop.mjs'].replace('n * 5', '5 * n'),
      'test/tax.test.mjs': using('../src/shop.mjs', one('taxes', 'assert.equal(m.tax(2), 10)')),
    }
    const words = wordsOf(await judged(await openYard(alone(shop, change))))
    expect(words).toEqual([expect.stringMatching(/^suggestion: the test "taxes" passes without the change/)])
  })

  it('takes the time to hear what such tests say, where parts of the refactoring need each other', async () => {
    const named = (rate: string) =>
      `const ${rate} = 5\n\nexport const isBig = (n) => n > 100\n\nexport const tax = (n) => n * ${rate}\n`
    const change = {
      'src/shop.mjs': named('share'),
      'test/tax.test.mjs': using('../src/shop.mjs', one('taxes', 'assert.equal(m.tax(2), 10)')),
    }
    const yard = await openYard(given(change, {}, { files: { 'src/shop.mjs': named('rate') } }))
    const took = tellDurations(yard, 'node --test', () => 3_000)
    const words = wordsOf(await judged(yard))
    expect(took.length).toBeGreaterThan(3)
    expect(words).toEqual([expect.stringMatching(/^suggestion: the test "taxes" passes without the change/)])
  })

  const cluttered = {
    'src/sum.mjs': 'export function sum(a, b) {\n  var all = a + b\n  return all\n}\n',
    'test/sum.test.mjs': using('../src/sum.mjs', one('adds', 'var told = m.sum(1, 2)\n  assert.equal(told, 3)')),
  }

  it('lets a clean-up be that touches the tests as well', async () => {
    const clean = (path: keyof typeof cluttered) => ({ [path]: cluttered[path].replaceAll('var ', 'const ') })
    const change = { ...clean('src/sum.mjs'), ...clean('test/sum.test.mjs') }
    expect(wordsOf(await judged(await openYard(given(change, {}, { files: cluttered }))))).toEqual([
      expect.stringMatching(/^suggestion: .*so no test shows what it makes different$/),
    ])
  })

  it('sends back a hollow line in a test that was there, beside code that nobody notices', async () => {
    const change = {
      'src/sum.mjs': `${cluttered['src/sum.mjs']}export function tax(n) {\n  return n / 50\n}\n`,
      'test/sum.test.mjs': cluttered['test/sum.test.mjs'].replace('3)', '3)\n  assert.ok(m.tax || true)'),
    }
    expect(wordsOf(await judged(await openYard(given(change, {}, { files: cluttered }))))).toContainEqual(
      expect.stringMatching(/^blocking: no test notices what tax does/),
    )
  })

  it('is content with tests for code that is there, and not with such as notice nothing', async () => {
    const good = using('../src/shop.mjs', one('taxes', 'assert.equal(m.tax(2), 10)'))
    const yard = await openYard(alone(shop, { 'test/more.test.mjs': good }))
    expect(await judged(yard)).toMatchObject({ status: 'passed' })
    const empty = using('../src/shop.mjs', one('all', 'm.tax(2)\n  m.isBig(1)\n  assert.ok(m.total)'))
    expect(wordsOf(await judged(await openYard(alone(shop, { 'test/more.test.mjs': empty }))))).toEqual([
      expect.stringMatching(/^blocking: the tests in test\/more\.test\.mjs notice nothing/),
    ])
  })

  it('charges nobody for tests that were as empty before, and whoever empties them', async () => {
    const testing = (body: string) => ({ 'test/more.test.mjs': using('../src/shop.mjs', one('all', body)) })
    const empty = 'm.tax(2)\n  assert.ok(m.total)'
    const still = alone({ ...shop, ...testing(`${empty}\n  assert.ok(m)`) }, testing(empty))
    expect(wordsOf(await judged(await openYard(still)))).toEqual([
      expect.stringMatching(/^suggestion: the tests in test\/more\.test\.mjs notice nothing/),
    ])
    const emptied = alone({ ...shop, ...testing('assert.equal(m.tax(2), 10)') }, testing(empty))
    expect(wordsOf(await judged(await openYard(emptied)))).toEqual([
      expect.stringMatching(/^blocking: the tests in test\/more\.test\.mjs notice nothing/),
    ])
  })

  it('looks behind a door that only passes on what the tests name', async () => {
    const about = "export default { title: 'shop', author: 'Ada', license: 'MIT', home: 'here', mail: 'there' }\n"
    const door = { 'src/index.mjs': `export * from './tax.mjs'\n${about}`, 'src/tax.mjs': tax }
    const testing = (body: string) => ({ 'test/more.test.mjs': using('../src/index.mjs', one('taxes', body)) })
    const good = await judged(await openYard(alone(door, testing('assert.equal(m.tax(2), 10)'))))
    expect(good, JSON.stringify(good)).toMatchObject({ status: 'passed' })
    expect(wordsOf(await judged(await openYard(alone(door, testing('m.tax(2)\n  assert.ok(m)')))))).toEqual([
      expect.stringMatching(/^blocking: the tests in test\/more\.test\.mjs notice nothing/),
    ])
  })

  it('does not run a helper that asserts as if it were a test', async () => {
    const change = {
      'src/tax.mjs': 'export const tax = (n) => n * 5\n',
      'test/taxes.mjs':
        "import assert from 'node:assert'\nimport { tax } from '../src/tax.mjs'\nif (process.argv[1].endsWith('taxes.mjs')) throw new Error('not alone')\nexport function taxes(n, expected) {\n  assert.equal(tax(n), expected)\n}\n",
      'test/tax.test.mjs': `${head}import { taxes } from './taxes.mjs'\n${one('taxes', 'taxes(2, 10)')}`,
    }
    expect(await judged(await openYard(alone(files, change)))).toMatchObject({ status: 'passed' })
  })
})
