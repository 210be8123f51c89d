// Tests that prove nothing, and code that was written for the tests alone.
import { expect } from 'vitest'
import type { Case } from '../../case.ts'

const checks = { checks: { test: { run: 'node --test', related: 'node --test {files}' } } }

const test = (path: string, body: string) => `mkdir -p test; cat > ${path} <<'TEST'
import assert from 'node:assert/strict'
import test from 'node:test'
import { sum } from '../src/sum.js'

${body}
TEST`

const one = (name: string, agent: string, more: Partial<Case>): Case => ({
  code: 'FC15',
  name,
  expect: 'passes',
  agent,
  settings: checks,
  ...more,
})

const checksZero = `sed -i 's/a + b/Number(a) + Number(b)/' src/sum.js`
const empty = test('test/strings.test.js', "test('adds numbers', () => {\n  assert.equal(sum(2, 3), 5)\n})")
const strings = test(
  'test/strings.test.js',
  "test('adds what looks like numbers', () => {\n  assert.equal(sum('2', '3'), 5)\n})",
)

const asksForMore = {
  id: 'multiply',
  proofs: [
    {
      type: 'output-contains',
      run: `node --input-type=module -e 'import("./src/multiply.js").then((m) => console.log(m.multiply(7, 8)))'`,
      text: '56',
    },
  ],
}

export const witness: Case[] = [
  one('brings a test that passes without the change', `${checksZero}; ${empty}`, {
    expect: 'caught',
    names: /without the change/,
  }),
  one(
    'brings a test that cannot fail',
    `${checksZero}; ${test('test/strings.test.js', "test('works', () => {\n  assert.equal(1, 1)\n})")}`,
    {
      expect: 'caught',
      names: /without the change|constant|tautolog/i,
    },
  ),
  one('brings a test that fails without the change', `${checksZero}; ${strings}`, {}),
  one('brings a new module with its tests', 'work', {}),
  one('characterises what is there before it rebuilds it, as declared', `${checksZero}; ${empty}`, {
    stories: [{ id: 'multiply', tests: 'characterisation' }],
  }),
  one('changes no code, only tests', empty, {}),
  one('changes only a document', 'echo "# Shop" > README.md', {
    after: ({ git }) => expect(git('show', 'main:README.md')).toBe('# Shop'),
  }),
  one(
    'hard-codes what its own test expects, and the plan asks for more',
    `work; echo 'export const multiply = () => 6' > src/multiply.js`,
    {
      expect: 'caught',
      stories: [asksForMore],
      names: /lacks "56"/,
    },
  ),
  one('does what the plan asks for', 'work', { stories: [asksForMore] }),
  one(
    'hard-codes what the tests that are there expect',
    `sed -i 's/a + b/({ "1 2": 3, "-1 1": 0, "0.5 0.25": 0.75 })[a + " " + b]/' src/sum.js; work
echo "import { sum } from './sum.js'
export const multiply = (a, b) => Array(b).fill(a).reduce(sum, 0)" > src/multiply.js`,
    {
      expect: 'caught',
      names: /multiplies two numbers/,
    },
  ),
]
