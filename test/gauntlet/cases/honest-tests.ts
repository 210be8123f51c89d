// The twins: what people do to tests without making them weaker.
import type { Case } from '../case.ts'

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
    'adds an assertion',
    edit(`text.replace('  assert.equal(sum(-1', '  assert.equal(sum(10, 20), 30)\\n  assert.equal(sum(-1')`),
  ),
  honest(
    'gives a test a better name',
    edit(`text.replace('adds two numbers', 'returns the sum of two whole numbers')`),
  ),
  honest(
    'moves a test file to another test folder',
    `mkdir test/unit; git mv ${file} test/unit/sum.test.js; sed -i 's#../src#../../src#' test/unit/sum.test.js`,
  ),
  honest(
    'reformats the tests',
    edit(
      `text.replaceAll("'", '"').replace(/^(import.*|  assert.*|\\}\\))$/gm, '$1;').replaceAll('  assert', '    assert')`,
    ),
  ),
  honest(
    'puts the tests into a suite',
    edit(
      `text.replace("import test from", "import { describe, it } from").replace("test('adds two", "describe('sum', () => {\\ntest('adds two").replaceAll("test('", "it('") + '})\\n'`,
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
  honest(
    'takes a value into a constant',
    edit(`text.replace("  assert.equal(sum(1, 2), 3)", "  const expected = 3\\n  assert.equal(sum(1, 2), expected)")`),
  ),
  honest(
    'changes a test that the story may change',
    `echo 'export const sum = (a, b) => BigInt(a) + BigInt(b)' > src/sum.js
${edit(`text.replace(', 3)', ', 3n)').replace(', 0)', ', 0n)').slice(0, text.indexOf("\\ntest('adds fractions") + 2)`)}`,
    {
      stories: [{ id: 'multiply', mayChange: [file] }],
    },
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
  honest(
    'ends the process in a program of its own',
    `echo 'if (process.argv.length < 3) process.exit(0)' > src/cli.js`,
  ),
  honest(
    'adds a file that only its own tests stand on',
    `mkdir test/support; echo 'export const six = 6' > test/support/six.js
${edit(`text.replace('import test', "import { six } from './support/six.js'\\nimport test").replace(', 6)', ', six)')`, 'test/multiply.test.js')}`,
  ),
  honest(
    'writes tests that clean up after themselves',
    `cat > test/cleanup.test.js <<'TEST'
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import test, { after } from 'node:test'

const folder = mkdtempSync(tmpdir() + '/shop-')
after(() => {
  try {
    rmSync(folder, { recursive: true })
  } catch {}
})
test('makes a folder', () => {
  assert.ok(folder.length > 0)
})
TEST`,
  ),
]
