import { describe, expect, it } from 'vitest'
import { loadCodeReader } from '../../../src/adapters/code-ast-grep/code-reader.ts'
import { blocks } from '../../../src/delivery/judging/finding.ts'
import type { Change } from '../../../src/proof/inspection/change.ts'
import { changed, renamed } from '../../../src/proof/inspection/sample-change.ts'
import { integrityFindings } from '../../../src/proof/inspection/tests/integrity.ts'

const head = "import test from 'node:test'\nimport assert from 'node:assert'\nimport { add } from '../src/add.js'\n"
const adds = "test('adds', () => {\n  assert.strictEqual(add(1, 2), 3)\n  assert.strictEqual(add(2, 2), 4)\n})\n"
const refuses = "test('refuses text', () => {\n  assert.throws(() => add('a', 1), /number/)\n})\n"
const base = head + adds + refuses
const path = 'test/add.test.js'
const edit = (from: string | RegExp, to: string): Change => changed(path, base, base.replace(from, to))

const rogues: [string, Change[], string][] = [
  ['deletes a test file', [changed(path, base, null)], 'test-deleted'],
  ['deletes a test', [edit(refuses, '')], 'test-deleted'],
  ['comments a test out', [edit(refuses, refuses.replace(/^/gm, '// '))], 'test-deleted'],
  ['comments a test out as a block', [edit(refuses, `/*\n${refuses}*/`)], 'test-deleted'],
  [
    'replaces a test by another',
    [edit(refuses, "test('is a function', () => { assert.equal(typeof add, 'function') })")],
    'test-deleted',
  ],
  ['tests a copy among the tests', [edit('../src/add.js', './doubles/add.js')], 'test-weakened'],
  ['moves to where a copy is imported', [renamed(path, 'test/unit/add.test.js', base)], 'test-weakened'],
  [
    'defines it in the test that imports it',
    [edit('{\n  assert.strict', '{\n  const add = (a, b) => a + b\n  assert.strict')],
    'test-weakened',
  ],
  ['takes it as a parameter', [edit("adds', () =>", "adds', (_, add = (a, b) => a + b) =>")], 'test-weakened'],
  [
    'tests something else',
    [changed(path, base, base.replace(/import \{ add.*\n/, '').replaceAll('add(', 'Math.max('))],
    'test-weakened',
  ],
  ['hedges what it compares', [edit('(add(1, 2), 3)', '(add(1, 2) && 3, 3)')], 'test-weakened'],
  ['compares the last of a sequence', [edit('(add(1, 2), 3)', '((add(1, 2), 3), 3)')], 'test-weakened'],
  [
    'waits for nobody',
    [edit('  assert.strictEqual(add(1, 2), 3)', '  Promise.resolve().then(() => assert.strictEqual(add(1, 2), 3))')],
    'test-weakened',
  ],
  [
    'returns a promise early',
    [edit('{\n  assert.strict', '{\n  return Promise.resolve()\n  assert.strict')],
    'test-weakened',
  ],
  ['loops over nothing', [edit("test('adds", "for (const _ of []) test('adds")], 'test-disabled'],
  ['mocks the assertions', [edit("test('adds", "t.mock.method(assert, 'strictEqual')\ntest('adds")], 'test-disabled'],
  ['moves it to a hidden folder', [renamed(path, '.test/add.test.js', base)], 'test-deleted'],
  ['renames a test file away', [renamed(path, 'test/add.test.js.bak', base)], 'test-deleted'],
  ['renames it to a module', [renamed(path, 'test/add.js', base)], 'test-deleted'],
  ['moves it to where nothing runs', [renamed(path, 'test/disabled/add.test.js', base)], 'test-deleted'],
  [
    'deletes a plain script of assertions',
    [changed('test/basic.js', 'assert.equal(add(1, 2), 3)', null)],
    'test-deleted',
  ],
  ['deletes a snapshot', [changed('test/__snapshots__/a.test.js.snap', 'exports[`a 1`] = `1`', null)], 'test-deleted'],
  ['test.skip', [edit("test('adds'", "test.skip('adds'")], 'test-skipped'],
  ['test.only', [edit("test('adds'", "test.only('adds'")], 'test-skipped'],
  ['test.todo', [edit("test('adds'", "test.todo('adds'")], 'test-skipped'],
  [
    'xit',
    [
      changed(
        path,
        "it('adds', () => { expect(add(1, 2)).toBe(3) })",
        "xit('adds', () => { expect(add(1, 2)).toBe(3) })",
      ),
    ],
    'test-skipped',
  ],
  [
    'describe.skip around it',
    [edit(/[\s\S]*/, `${head}describe.skip('later', () => {\n${adds}${refuses}})`)],
    'test-skipped',
  ],
  ['the option skip', [edit("test('adds', ", "test('adds', { skip: true }, ")], 'test-skipped'],
  ['the option skip with a reason', [edit("test('adds', ", "test('adds', { skip: 'flaky' }, ")], 'test-skipped'],
  [
    'a skip on a condition',
    [edit("test('adds', ", "test('adds', { skip: process.env.HOME !== '' }, ")],
    'test-skipped',
  ],
  ['the option todo', [edit("test('adds', ", "test('adds', { todo: true }, ")], 'test-skipped'],
  ['t.skip inside', [edit("test('adds', () => {", "test('adds', (t) => {\n  t.skip()")], 'test-skipped'],
  [
    'swaps one skip for another',
    [
      changed(
        path,
        base.replace("test('adds'", "test.skip('adds'"),
        base.replace("test('refuses", "test.skip('refuses"),
      ),
    ],
    'test-skipped',
  ],
  [
    'a skipped fresh test',
    [changed('test/x.test.js', null, "test.skip('x', () => { assert.equal(add(1, 1), 2) })")],
    'test-skipped',
  ],
  ['removes an assertion', [edit('  assert.strictEqual(add(2, 2), 4)\n', '')], 'test-weakened'],
  [
    'comments an assertion out',
    [edit('  assert.strictEqual(add(2, 2), 4)', '  // assert.strictEqual(add(2, 2), 4)')],
    'test-weakened',
  ],
  ['empties a test', [edit(adds, "test('adds', () => {})\n")], 'test-weakened'],
  ['strictEqual to ok', [edit('assert.strictEqual(add(2, 2), 4)', 'assert.ok(add(2, 2))')], 'test-weakened'],
  ['an assertion on constants', [edit('assert.strictEqual(add(2, 2), 4)', 'assert(true)')], 'test-weakened'],
  ['an equality of constants', [edit('assert.strictEqual(add(2, 2), 4)', 'assert.strictEqual(4, 4)')], 'test-weakened'],
  ['or true', [edit('assert.strictEqual(add(2, 2), 4)', 'assert(add(2, 2) === 4 || true)')], 'test-weakened'],
  ['throws without what', [edit(', /number/', '')], 'test-weakened'],
  [
    'toEqual to toBeTruthy',
    [
      changed(
        path,
        "it('a', () => { expect(add(1, 2)).toEqual(3) })",
        "it('a', () => { expect(add(1, 2)).toBeTruthy() })",
      ),
    ],
    'test-weakened',
  ],
  [
    'toBe to toBeDefined',
    [
      changed(
        path,
        "it('a', () => { expect(add(1, 2)).toBe(3) })",
        "it('a', () => { expect(add(1, 2)).toBeDefined() })",
      ),
    ],
    'test-weakened',
  ],
  [
    'toBe to a range',
    [
      changed(
        path,
        "it('a', () => { expect(add(1, 2)).toBe(3) })",
        "it('a', () => { expect(add(1, 2)).toBeGreaterThan(3) })",
      ),
    ],
    'test-weakened',
  ],
  [
    'renames a test and loosens it',
    [edit(adds, "test('adds up', () => {\n  assert.ok(add(1, 2))\n  assert.ok(add(2, 2))\n})\n")],
    'test-deleted',
  ],
  [
    'moves a test and loosens it',
    [edit(refuses, ''), changed('test/other.test.js', null, refuses.replace(', /number/', ''))],
    'test-weakened',
  ],
  ['an early return', [edit("test('adds', () => {", "test('adds', () => {\n  return")], 'test-weakened'],
  [
    'an early return on a condition',
    [edit("test('adds', () => {", "test('adds', () => {\n  if (process.env.CI) return\n")],
    'test-weakened',
  ],
  [
    'swallows failures',
    [edit('  assert.strictEqual(add(1, 2), 3)', '  try { assert.strictEqual(add(1, 2), 3) } catch {}')],
    'test-weakened',
  ],
  ['expects the bug', [edit('add(2, 2), 4', 'add(2, 2), 5')], 'test-changed'],
  [
    'weakens a shared assertion',
    [
      changed(
        'test/helpers.js',
        'export const same = (a, b) => assert.deepEqual(a, b)',
        'export const same = () => {}',
      ),
    ],
    'test-weakened',
  ],
  [
    'a fresh test that cannot fail',
    [changed('test/x.test.js', null, "test('x', () => { expect(true).toBe(true) })")],
    'test-hollow',
  ],
  ['process.exit(0)', [edit(head, `${head}process.exit(0)\n`)], 'test-exits'],
  [
    'process.exit() in a test',
    [edit("test('adds', () => {", "test('adds', () => {\n  process.exit()\n")],
    'test-exits',
  ],
  ['exits from a fresh file', [changed('test/0.test.js', null, 'process.exit(0)')], 'test-exits'],
  ['an exit code of 0', [edit(head, `${head}process.on('exit', () => { process.exitCode = 0 })\n`)], 'test-exits'],
  ['if (false)', [edit(refuses, `if (false) {\n${refuses}}\n`)], 'test-disabled'],
  ['replaces assert', [edit(head, `${head}assert.strictEqual = () => {}\n`)], 'test-disabled'],
  [
    'replaces test',
    [edit(head, head.replace("import test from 'node:test'", 'const test = () => {}'))],
    'test-disabled',
  ],
  ['becomes unreadable', [{ ...edit('x', 'x'), after: null, binary: true }], 'test-unreadable'],
  [
    'python skip',
    [
      changed(
        'test_a.py',
        'def test_a():\n    assert f(1) == 2\n',
        '@pytest.mark.skip\ndef test_a():\n    assert f(1) == 2\n',
      ),
    ],
    'test-skipped',
  ],
  [
    'python xfail',
    [
      changed(
        'test_a.py',
        'def test_a():\n    assert f(1) == 2\n',
        '@pytest.mark.xfail(reason="x")\ndef test_a():\n    assert f(1) == 2\n',
      ),
    ],
    'test-skipped',
  ],
  [
    'python deletion',
    [
      changed(
        'test_a.py',
        'def test_a():\n    assert f(1) == 2\n\ndef test_b():\n    assert g(1)\n',
        'def test_a():\n    assert f(1) == 2\n',
      ),
    ],
    'test-deleted',
  ],
  [
    'python weakening',
    [changed('test_a.py', 'def test_a():\n    assert f(1) == 2\n', 'def test_a():\n    assert f(1)\n')],
    'test-weakened',
  ],
  [
    'python pass',
    [
      changed(
        'tests/test_a.py',
        'class TestA(TestCase):\n    def test_a(self):\n        self.assertEqual(f(1), 2)\n',
        'class TestA(TestCase):\n    def test_a(self):\n        pass\n',
      ),
    ],
    'test-weakened',
  ],
  [
    'go skip',
    [
      changed(
        'a_test.go',
        'func TestA(t *testing.T) {\n\tif f(1) != 2 {\n\t\tt.Errorf("x")\n\t}\n}\n',
        'func TestA(t *testing.T) {\n\tt.Skip("later")\n\tif f(1) != 2 {\n\t\tt.Errorf("x")\n\t}\n}\n',
      ),
    ],
    'test-skipped',
  ],
  [
    'go deletion',
    [changed('a_test.go', 'func TestA(t *testing.T) {\n\tt.Fatal("x")\n}\n', 'package a\n')],
    'test-deleted',
  ],
  [
    'go build tag',
    [
      changed(
        'a_test.go',
        'package a\nfunc TestA(t *testing.T) {}\n',
        '//go:build ignore\n\npackage a\nfunc TestA(t *testing.T) {}\n',
      ),
    ],
    'test-skipped',
  ],
  [
    'rust ignore',
    [
      changed(
        'src/lib.rs',
        '#[test]\nfn adds() { assert_eq!(add(1, 2), 3); }',
        '#[test]\n#[ignore]\nfn adds() { assert_eq!(add(1, 2), 3); }',
      ),
    ],
    'test-skipped',
  ],
  [
    'rust deletion beside the code',
    [changed('src/lib.rs', 'fn f() {}\n#[test]\nfn adds() { assert_eq!(add(1, 2), 3); }', 'fn f() {}\n')],
    'test-deleted',
  ],
  [
    'java disabled',
    [
      changed(
        'src/test/ATest.java',
        'class ATest { @Test void a() { assertEquals(1, f()); } }',
        'class ATest { @Disabled @Test void a() { assertEquals(1, f()); } }',
      ),
    ],
    'test-skipped',
  ],
  [
    'ruby skip',
    [
      changed(
        'spec/a_spec.rb',
        "it 'adds' do\n  expect(add(1, 2)).to eq(3)\nend\n",
        "xit 'adds' do\n  expect(add(1, 2)).to eq(3)\nend\n",
      ),
    ],
    'test-skipped',
  ],
  ['puts a test into a function nobody calls', [edit(adds, `const later = () => {\n${adds}}\n`)], 'test-disabled'],
  ['puts a test behind a condition', [edit(adds, `if (process.env.ALL) {\n${adds}}\n`)], 'test-disabled'],
  [
    'asserts on a condition',
    [edit('  assert.strictEqual(add(1', '  if (process.env.ALL) assert.strictEqual(add(1')],
    'test-weakened',
  ],
  [
    'asserts too late',
    [edit('assert.strictEqual(add(1, 2), 3)', 'setTimeout(() => assert.strictEqual(add(1, 2), 3), 1e6)')],
    'test-weakened',
  ],
  [
    'tests a copy of its own',
    [edit("import { add } from '../src/add.js'", 'const add = (a, b) => a + b')],
    'test-weakened',
  ],
  ['expects what it gets', [edit('add(2, 2), 4', 'add(2, 2), add(2, 2)')], 'test-weakened'],
  [
    'imports a runner that skips',
    [edit("import test from 'node:test'", "const test = require('node:test').skip")],
    'test-skipped',
  ],
  [
    'imports a skip by another name',
    [edit("import test from 'node:test'", "import { skip as test } from 'node:test'")],
    'test-skipped',
  ],
  [
    'imports a runner of its own',
    [edit("import test from 'node:test'", "import test from './quiet.js'")],
    'test-disabled',
  ],
  [
    'no longer asserts strictly',
    [
      changed(
        path,
        base.replace('node:assert', 'node:assert/strict').replaceAll('strictEqual', 'equal'),
        base.replaceAll('strictEqual', 'equal'),
      ),
    ],
    'test-weakened',
  ],
  [
    'keeps the names and empties the rest',
    [changed(path, base, "test('adds', () => {})\ntest('refuses text', () => {})\n")],
    'test-weakened',
  ],
  [
    'turns a test file into a link',
    [{ ...changed(path, base, 'other.js'), status: 'type-changed', newMode: '120000' }],
    'test-deleted',
  ],
  [
    'removes a test within a test',
    [
      changed(
        path,
        "test('a', async (t) => {\n  await t.test('b', () => { assert.equal(f(1), 2) })\n})",
        "test('a', async (t) => {\n})",
      ),
    ],
    'test-weakened',
  ],
]

const byLines = { nodes: () => null, concerns: [] }
const byStructure = await loadCodeReader()

describe.each([
  ['by structure', byStructure],
  ['by lines', byLines],
])('rogues, %s', (_, reader) => {
  it.each(rogues)('%s', (_name, changes, rule) => {
    const found = integrityFindings(changes, reader).filter(blocks)
    expect(found.map((finding) => finding.rule)).toContain(rule)
  })
})
