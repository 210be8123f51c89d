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

const honest: [string, Change[]][] = [
  ['adds a test', [changed(path, base, `${base}test('adds zero', () => {\n  assert.strictEqual(add(0, 5), 5)\n})\n`)]],
  ['adds a test in the middle', [edit(refuses, `test('more', () => { assert.equal(add(7, 1), 8) })\n${refuses}`)]],
  ['adds a test file', [changed('test/sub.test.js', null, base.replaceAll('add', 'sub'))]],
  [
    'adds an assertion',
    [
      edit(
        '  assert.strictEqual(add(2, 2), 4)',
        '  assert.strictEqual(add(2, 2), 4)\n  assert.strictEqual(add(-1, 1), 0)',
      ),
    ],
  ],
  [
    'tightens an assertion',
    [
      changed(
        path,
        "it('a', () => { expect(add(1, 2)).toBeTruthy() })",
        "it('a', () => { expect(add(1, 2)).toBe(3) })",
      ),
    ],
  ],
  ['renames a test', [edit("'refuses text'", "'throws when an argument is text'")]],
  ['moves a test to another file', [edit(refuses, ''), changed('test/refusals.test.js', null, head + refuses)]],
  ['moves all tests and deletes the file', [changed(path, base, null), changed('test/unit/add.test.js', null, base)]],
  [
    'moves a test file, and its imports with it',
    [
      {
        ...renamed(path, 'test/unit/add.test.js', base),
        after: base.replace('../src', '../../src'),
      },
    ],
  ],
  ['imports the product by its package', [edit("'../src/add.js'", "'shop/add'")]],
  [
    'waits for promises',
    [
      edit(
        refuses,
        refuses.replace(
          '() => {',
          'async () => {\n  await Promise.all([1].map((x) => load(x).then((y) => assert.equal(y, 1))))',
        ),
      ),
    ],
  ],
  [
    'asserts about what has operators within',
    [
      edit(
        '  assert.strictEqual(add(1',
        '  assert.equal([1, 2].filter((x) => x > 0 && x < 9).length, 2)\n  assert.strictEqual(add(1',
      ),
    ],
  ],
  [
    'stands a double in for something that no assertion is about',
    [
      changed(
        path,
        `import { clock } from '../src/clock.js'\n${base}`,
        `import { clock } from './doubles/clock.js'\n${base}`,
      ),
    ],
  ],
  ['renames a test file', [renamed(path, 'test/sum.test.js', base)]],
  [
    'formats tests',
    [
      changed(
        path,
        base,
        base
          .replaceAll("'", '"')
          .replaceAll(/\n {2}/g, '\n\t')
          .replaceAll(')\n', ');\n')
          .replace('(1, 2)', '(\n\t\t1,\n\t\t2,\n\t)'),
      ),
    ],
  ],
  [
    'wraps tests in a suite',
    [edit(/test\('adds'[\s\S]*/, `describe('add', () => {\n${(adds + refuses).replace(/^/gm, '  ')}})\n`)],
  ],
  ['follows a renamed function', [changed(path, base, base.replaceAll('add(', 'sum(').replace('{ add }', '{ sum }'))]],
  ['follows a changed signature', [edit('add(1, 2)', 'add([1, 2])')]],
  [
    'makes a table of equal tests',
    [
      changed(
        path,
        `${head}test('one', () => { assert.equal(add(1, 1), 2) })\ntest('two', () => { assert.equal(add(2, 1), 3) })\n`,
        `${head}for (const [a, b, sum] of [[1, 1, 2], [2, 1, 3]]) test(\`\${a} and \${b}\`, () => { assert.equal(add(a, b), sum) })\n`,
      ),
    ],
  ],
  [
    'takes a value out as a constant',
    [edit('assert.strictEqual(add(2, 2), 4)', 'const four = 4\n  assert.strictEqual(add(2, 2), four)')],
  ],
  [
    'gathers assertions',
    [
      changed(
        path,
        "test('a', () => { assert.equal(p.x, 1); assert.equal(p.y, 2) })",
        "test('a', () => { assert.deepEqual(p, { x: 1, y: 2 }) })",
      ),
    ],
  ],
  [
    'makes a test asynchronous',
    [
      edit(
        "test('adds', () => {\n  assert.strictEqual(add(1, 2)",
        "test('adds', async () => {\n  assert.strictEqual(await add(1, 2)",
      ),
    ],
  ],
  ['adds a comment about skipping', [edit(adds, `// we used to test.skip('adds') and process.exit(0) here\n${adds}`)]],
  [
    'adds text about skipping',
    [
      changed(
        'test/x.test.js',
        null,
        "test('x', () => { assert.equal(lint(\"it.only('a') || process.exit(0)\"), 2) })",
      ),
    ],
  ],
  [
    'tests paging',
    [
      changed(
        'test/page.test.js',
        "test('pages', () => { assert.deepEqual(page({ skip: 10 }), []) })",
        "test('pages', () => { assert.deepEqual(page({ skip: 10 }), []); assert.equal(page({ skip: true }).length, 3) })",
      ),
    ],
  ],
  [
    'tests a list of todos',
    [
      changed(
        'test/todo.test.js',
        null,
        "test('adds a todo', () => { assert.deepEqual(make({ todo: 'milk', only: true }), { todo: 'milk' }) })",
      ),
    ],
  ],
  [
    'skips a fresh test on one platform',
    [
      changed(
        'test/x.test.js',
        null,
        "test('x', { skip: process.platform === 'win32' }, () => { assert.equal(add(1, 1), 2) })",
      ),
    ],
  ],
  [
    'skips a fresh test inside an if',
    [
      changed(
        'test/x.test.js',
        null,
        "test('x', (t) => {\n  if (!hasGit) {\n    t.skip('no git')\n    return\n  }\n  assert.equal(add(1, 1), 2)\n})",
      ),
    ],
  ],
  [
    'keeps a skipped test',
    [
      changed(
        path,
        `${base}test.skip('later', () => {})\n`,
        `${base}test('x', () => { assert.equal(1 + add(0, 0), 1) })\ntest.skip('later', () => {})\n`,
      ),
    ],
  ],
  ['runs a skipped test again', [changed(path, base.replace("test('adds'", "test.skip('adds'"), base)]],
  [
    'a fresh test without an assertion',
    [changed('test/x.test.js', null, "test('does not throw', () => { add(1, 2) })")],
  ],
  [
    'a plain script that ends with a code',
    [changed('test/run.js', null, 'assert.equal(add(1, 2), 3)\nprocess.exit(failed ? 1 : 0)')],
  ],
  [
    'a fresh harness of its own',
    [
      changed(
        'test/all.test.js',
        null,
        'function test(name, fn) { fn() }\ntest("a", () => { assert.equal(add(1, 2), 3) })',
      ),
    ],
  ],
  [
    'a helper',
    [changed('test/helpers.js', 'export const a = 1\n', 'export const a = 2\nexport const b = (x) => assert.ok(x)\n')],
  ],
  [
    'puts plain assertions into tests',
    [
      changed(
        path,
        `${head}assert.equal(add(1, 2), 3)\n`,
        `${head}test('adds', () => {\n  assert.equal(add(1, 2), 3)\n})\n`,
      ),
    ],
  ],
  ['deletes test data', [changed('test/fixtures/old.test.js', 'test.skip("x")', null)]],
  ['product code that exits', [changed('src/cli.js', 'run()', 'run()\nprocess.exit(0)')]],
  ['product code called latest', [changed('src/latest.js', 'export const a = 1', null)]],
  [
    'python: adds and renames',
    [
      changed(
        'test_a.py',
        'def test_a():\n    assert f(1) == 2\n',
        'def test_f_of_one():\n    assert f(1) == 2\n\n\ndef test_b():\n    assert f(2) == 3\n',
      ),
    ],
  ],
  [
    'python: platform',
    [
      changed(
        'test_b.py',
        null,
        '@pytest.mark.skipif(sys.platform == "win32", reason="x")\ndef test_b():\n    assert f(2) == 3\n',
      ),
    ],
  ],
  [
    'go: adds',
    [
      changed(
        'a_test.go',
        'func TestA(t *testing.T) {\n\tt.Fatal("x")\n}\n',
        'func TestA(t *testing.T) {\n\tt.Fatal("x")\n}\n\nfunc TestB(t *testing.T) {\n\tt.Fatal("y")\n}\n',
      ),
    ],
  ],
  [
    'rust: changes the code beside the tests',
    [
      changed(
        'src/lib.rs',
        'fn f<\'a>(x: &\'a str) { assert!(x.len() > 1); panic!("x") }\n#[test]\nfn adds() { assert_eq!(add(1, 2), 3); }',
        "fn f<'a>(x: &'a str) {}\n#[test]\nfn adds() { assert_eq!(add(1, 2), 3); }",
      ),
    ],
  ],
  [
    'splits a test',
    [
      edit(
        adds,
        "test('adds', () => {\n  assert.strictEqual(add(1, 2), 3)\n})\ntest('adds the same', () => {\n  assert.strictEqual(add(2, 2), 4)\n})\n",
      ),
    ],
  ],
  [
    'goes to another runner',
    [
      changed(
        path,
        base,
        "import { expect, test } from 'vitest'\nimport { add } from '../src/add.js'\ntest('adds', () => {\n  expect(add(1, 2)).toBe(3)\n  expect(add(2, 2)).toBe(4)\n})\ntest('refuses text', () => {\n  expect(() => add('a', 1)).toThrow(/number/)\n})\n",
      ),
    ],
  ],
  [
    'a return in a callback',
    [
      edit(
        '  assert.strictEqual(add(1',
        '  const all = [1].map((x) => {\n    if (!x) return\n    return x\n  })\n  assert.strictEqual(add(1',
      ),
    ],
  ],
  ['takes the input out', [edit('add(1, 2), 3', 'add(...[1, 2]), 3')]],
  ['a message for an assertion', [edit('add(2, 2), 4)', "add(2, 2), 4, 'two and two')")]],
  [
    'stubs the exit of the process',
    [
      changed(
        'test/cli.test.js',
        null,
        "test('exits', () => {\n  process.exit = (c) => { code = c }\n  main()\n  assert.equal(code, 0)\n})",
      ),
    ],
  ],
  [
    'product code called ab-test',
    [
      changed(
        'src/ab-test.ts',
        'export function assign() { assert(x); return 1 }',
        'export function assign() { return 2 }',
      ),
    ],
  ],
  ['runs the tests in a loop', [edit(adds, `for (const mode of modes) {\n${adds}}\n`)]],
]

const byLines = { nodes: () => null, concerns: [] }
const byStructure = await loadCodeReader()

describe.each([
  ['by structure', byStructure],
  ['by lines', byLines],
])('honest twins, %s', (_, reader) => {
  it.each(honest)('%s', (_name, changes) => {
    const found = integrityFindings(changes, reader).filter(blocks)
    expect(found.map((finding) => `${finding.rule}: ${finding.message}`)).toEqual([])
  })

  it('a fresh todo is only a hint', () => {
    const findings = integrityFindings([changed(path, base, `${base}test.todo('divides')\n`)], reader)
    expect(findings.map((finding) => finding.severity)).toEqual(['suggestion'])
  })
})
