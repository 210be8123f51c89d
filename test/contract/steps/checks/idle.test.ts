import { describe, expect, it } from 'vitest'
import { judged, wordsOf } from '../verdicts.ts'
import { check, type Given, openYard } from '../yard.ts'

type Files = Record<string, string>

const head = "import test from 'node:test'\nimport assert from 'node:assert'\n"
const copy = "const tax = (n) => n / 5\ntest('taxes', () => {\n  assert.equal(tax(5), 1)\n})\n"
const files = {
  'src/sum.mjs': 'export const sum = (a, b) => a + b\n',
  'src/print.mjs': "import { sum } from './sum.mjs'\nconsole.log(sum(1, 2))\n",
  'test/sum.test.mjs': `${head}import * as m from '../src/sum.mjs'\ntest('adds', () => {\n  assert.equal(m.sum(1, 2), 3)\n})\n`,
}
const wrong = 'export const tax = (n) => n * 0\n'

const given = (change: Files): Given => ({
  files,
  stories: [{ id: 'one' }],
  script: [{ do: [{ write: change }] }],
  policy: { judges: ['witness'], checks: [check({ run: 'node --test', related: 'node --test {files}' })] },
})
const words = async (change: Files) => wordsOf(await judged(await openYard(given(change))))

describe('tests that came with a story', () => {
  it.each<[string, Files, RegExp]>([
    [
      'test a function of their own, and there is no product',
      { 'test/tax.test.mjs': `${head}${copy}` },
      /pass although every function of the product was made to fail/,
    ],
    [
      'test a function of their own beside a product in which nothing can be broken',
      {
        'src/tax.mjs': "export { sum as tax } from './sum.mjs'\n",
        'test/tax.test.mjs': `${head}import * as m from '../src/tax.mjs'\nassert.ok(m.tax)\n${copy}`,
      },
      /pass although every function/,
    ],
    [
      'test a function of their own and one that was there, and look for the file of the product',
      {
        'src/tax.mjs': wrong,
        'test/money.test.mjs': `${head}import { existsSync } from 'node:fs'\nimport { sum } from '../src/sum.mjs'\n${copy}test('is there', () => {\n  assert.ok(existsSync('src/tax.mjs') && sum(1, 2) === 3)\n})\n`,
      },
      /no check looks at src\/tax\.mjs:1/,
    ],
    [
      'compare nothing, while old tests notice what else was changed',
      {
        'src/tax.mjs': `${wrong}export const net = (n) => n * 0\n`,
        'src/sum.mjs': 'export const sum = (a, b) => b + a\n',
        'test/tax.test.mjs': `${head}import { net, tax } from '../src/tax.mjs'\ntest('taxes', () => {\n  tax(5) + net(5)\n})\n`,
      },
      /no test that came with it notices the change/,
    ],
    [
      'compare one function with what it says itself, and another well',
      {
        'src/tax.mjs': `${wrong}export const known = [[5, tax(5)]]\nexport const half = (n) => n / 2\n`,
        'test/tax.test.mjs': `${head}import { half, known, tax } from '../src/tax.mjs'\ntest('taxes', () => {\n  for (const [n, right] of known) assert.equal(tax(n), right)\n})\ntest('halves', () => {\n  assert.equal(half(6), 3)\n})\n`,
      },
      /no test notices what tax does/,
    ],
  ])('are sent back where they %s', async (_, change, said) => {
    expect((await words(change)).filter((word) => word.startsWith('blocking: '))).toEqual([expect.stringMatching(said)])
  })

  it.each([
    [
      'are sent back where they say nothing of a file that they could import',
      'mjs',
      'blocking: the test "adds more" passes',
    ],
    ['are told where what was changed is written in another language', 'c', 'suggestion: the test "adds more" passes'],
  ])('%s, and no check looks at it', async (_, ending, said) => {
    const [file, before] = [`src/tax.${ending}`, 'int tax = 1\n']
    const story: Given = {
      ...given({
        [file]: 'int tax = 2\n',
        'test/money.test.mjs': `${head}import { sum } from '../src/sum.mjs'\ntest('adds more', () => {\n  assert.equal(sum(2, 2), 4)\n})\n`,
      }),
      files: { ...files, [file]: before },
    }
    expect(wordsOf(await judged(await openYard(story)))).toEqual([
      expect.stringContaining(said),
      expect.stringContaining(`no check looks at ${file}:1`),
    ])
  })

  it.each<[string, Files]>([
    [
      'run a program that was there, whose name nobody can read',
      {
        'test/print.test.mjs': `${head}import { execFileSync } from 'node:child_process'\ntest('prints', () => {\n  const file = ['src', 'print.mjs'].join('/')\n  assert.equal(String(execFileSync(process.execPath, [file])), '3\\n')\n})\n`,
      },
    ],
    [
      'call what only has an effect, and look at that',
      {
        'src/tax.mjs':
          'const paid = []\nexport function pay(n) {\n  paid.push(n / 5)\n}\nexport const all = () => [...paid]\n',
        'test/tax.test.mjs': `${head}import { all, pay } from '../src/tax.mjs'\ntest('pays', () => {\n  pay(10)\n  assert.deepEqual(all(), [2])\n})\n`,
      },
    ],
    [
      'call what the story gives another name',
      {
        'src/tax.mjs': "export { sum as tax } from './sum.mjs'\n",
        'test/tax.test.mjs': `${head}import { tax } from '../src/tax.mjs'\ntest('taxes', () => {\n  assert.equal(tax(5, 1), 6)\n})\n`,
      },
    ],
  ])('are good where they %s', async (_, change) => {
    expect((await words(change)).filter((word) => word.startsWith('blocking: '))).toEqual([])
  })
})

const goFiles = {
  'go.mod': 'module shop\n\ngo 1.19\n',
  'sum.go': 'package shop\n\nfunc Sum(a, b int) int {\n\treturn a + b\n}\n',
  'sum_test.go':
    'package shop\n\nimport "testing"\n\nfunc TestSum(t *testing.T) {\n\tif got := Sum(1, 2); got != 3 {\n\t\tt.Errorf("got %d", got)\n\t}\n}\n',
}
const goTest = (rest: string) =>
  `package shop\n\nimport "testing"\n\nfunc TestTotal(t *testing.T) {\n\tif got := ${rest}\n`
const inGo = async (test: string) => {
  const change = { 'total.go': 'package shop\n\nvar Total = Sum\n', 'total_test.go': goTest(test) }
  const story: Given = { ...given(change), files: goFiles }
  return wordsOf(
    await judged(
      await openYard({
        ...story,
        policy: { judges: ['witness'], checks: [check({ run: 'go test ./...', related: null, parser: 'auto' })] },
      }),
    ),
  )
}

// There all tests of a folder are run together, and the first panic ends them.
describe('tests of Go that came with a story', () => {
  it('are sent back where they test a copy of their own', async () => {
    const own =
      'total(1, 2); got != 3 {\n\t\tt.Errorf("got %d", got)\n\t}\n}\n\nfunc total(a, b int) int { return a + b }\n\nvar _ = Total'
    expect(await inGo(own)).toContainEqual(expect.stringMatching(/^blocking: .*pass although every function/))
  })

  it('are good where they call what the story gives another name', async () => {
    const words = await inGo('Total(1, 2); got != 3 {\n\t\tt.Errorf("got %d", got)\n\t}\n}')
    expect(words.filter((word) => word.startsWith('blocking: '))).toEqual([])
  })
})
