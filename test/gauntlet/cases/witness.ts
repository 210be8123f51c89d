// Tests that prove nothing: they hold without the change as well.
import { expect } from 'vitest'
import type { Case } from '../case.ts'

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
]
