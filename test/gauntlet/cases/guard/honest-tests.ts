// The twins: what people do to tests without making them weaker.
import type { Case } from '../../case.ts'

const file = 'test/sum.test.js'

const edit = (expression: string, path = file) =>
  `node - <<'EDIT'\nconst fs = require('node:fs')\nlet text = fs.readFileSync('${path}', 'utf8')\ntext = ${expression}\nfs.writeFileSync('${path}', text)\nEDIT`

const honest = (name: string, agent: string, more: Partial<Case> = {}): Case => ({
  code: 'FC14',
  name,
  expect: 'passes',
  agent: `work\n${agent}`,
  ...more,
})

export const honestTests: Case[] = [
  honest(
    'adds tests to a file that is there',
    `cat >> ${file} <<'TEST'

test('adds nothing', () => {
  assert.equal(sum(0, 0), 0)
})
TEST`,
  ),
  honest(
    'reformats the tests',
    edit(
      `text.replaceAll("'", '"').replace(/^(import.*|  assert.*|\\}\\))$/gm, '$1;').replaceAll('  assert', '    assert')`,
    ),
  ),
  honest(
    'makes a table of equal assertions',
    `cat > ${file} <<'TEST'
import assert from 'node:assert/strict'
import test from 'node:test'
import { sum } from '../src/sum.js'

const table = [
  ['adds two numbers', 1, 2, 3],
  ['adds two numbers of which one is negative', -1, 1, 0],
  ['adds fractions', 0.5, 0.25, 0.75],
]

for (const [name, a, b, expected] of table)
  test(name, () => {
    assert.equal(sum(a, b), expected)
  })
TEST`,
  ),
  honest(
    'runs the tests for several inputs',
    edit(
      `text.replace("test('adds two", "for (const zero of [0, -0]) {\\ntest('adds two").replace("test('adds frac", "}\\n\\ntest('adds frac").replace('sum(1, 2)', 'sum(1, 2 + zero)')`,
    ),
  ),
  honest(
    'splits a test in two',
    edit(
      `text.replace("  assert.equal(sum(-1", "})\\n\\ntest('adds a negative number', () => {\\n  assert.equal(sum(-1")`,
    ),
  ),
  honest(
    'splits a test file in two',
    `cat > test/fractions.test.js <<'TEST'
import assert from 'node:assert/strict'
import test from 'node:test'
import { sum } from '../src/sum.js'

test('adds fractions', () => {
  assert.equal(sum(0.5, 0.25), 0.75)
})
TEST
${edit(`text.slice(0, text.indexOf("\\ntest('adds fractions"))`)}`,
  ),
  honest('renames the tested function everywhere', `sed -i 's/\\bsum\\b\\([ (]\\)/add\\1/g' src/sum.js ${file}`),
  honest(
    'moves the product and the imports of its tests',
    `mkdir src/math; git mv src/sum.js src/math/sum.js; sed -i 's#src/sum.js#src/math/sum.js#' ${file}`,
  ),
  honest('removes a feature with its tests, as the story says', `rm src/sum.js ${file}`, {
    stories: [{ id: 'multiply', mayChange: ['test/**'] }],
  }),
  honest(
    'writes tests about skipping',
    `cat > test/skip.test.js <<'TEST'
import assert from 'node:assert/strict'
import test from 'node:test'

test('skips blank lines; a todo is only a word', () => {
  const lines = ['a', '', 'b'].filter((line) => {
    if (line === '') return false
    return true
  })
  assert.deepEqual(lines, ['a', 'b'])
})
TEST`,
  ),
]
