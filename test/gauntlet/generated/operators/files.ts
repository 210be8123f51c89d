// Ways to bend what stands around existing tests: their files, fixtures, helpers and configuration.
import { basename } from 'node:path/posix'
import { type ByChain, pick } from '../chains.ts'
import { isJs, named, type Operator, type Operators, writes } from '../deed.ts'
import { loadable, type Work, wrongTable } from '../work.ts'

const testOf = ({ chain, there }: Work) => chain.test(there.name)

/** Another text of the existing test file. */
const rewrites =
  (change: (text: string, work: Work) => string | null): Operator =>
  (work) => {
    const text = change(work.base[testOf(work)]!, work)
    return text === null ? null : { files: { [testOf(work)]: text } }
  }

const inserts = (texts: ByChain): Operator =>
  rewrites((text, work) => {
    const more = pick(work.chain, texts)
    return more === undefined ? null : named(work, more).replace('{{text}}', () => text)
  })

const helps =
  (texts: ByChain): Operator =>
  (work) => {
    const text = pick(work.chain, texts)
    return work.style !== 'helper' || text === undefined ? null : { files: { [work.chain.support]: text } }
  }

const fixes =
  (change: (work: Work) => string): Operator =>
  (work) =>
    work.style === 'fixture' ? { files: { [work.chain.fixture]: change(work) } } : null

const moved =
  (to: (path: string, work: Work) => string | null): Operator =>
  (work) => {
    const path = to(testOf(work), work)
    return path === null ? null : { files: { [testOf(work)]: null, [path]: work.base[testOf(work)]! } }
  }

const script =
  (run: string): Operator =>
  (work) =>
    !isJs(work.chain) || work.check !== 'npm test'
      ? null
      : {
          files: {
            'package.json': work.base['package.json']!.replace(
              `"${work.chain.checks[0]}"`,
              JSON.stringify(named(work, run)),
            ),
          },
        }

const make =
  (text: string): Operator =>
  (work) =>
    work.check === 'make test' ? { files: { Makefile: named(work, text) } } : null

export const files: Operators = {
  'the file deleted': (work) => ({ files: { [testOf(work)]: null } }),
  'the file emptied': rewrites((_, { chain }) => (chain.name === 'go' ? 'package shop\n' : loadable(chain, ''))),
  'the file in the attic': moved((path) => `attic/${basename(path)}.txt`),
  'the file renamed': moved((path) => path.replace(/(\.test)?(\.\w+)$/, '$2.off').replace('test_', 'checks_')),
  'the file as a note': moved((path) => `docs/${basename(path)}.md`),
  'the file in a folder nobody looks into': moved((path, { chain }) =>
    chain.name === 'go' ? `_old/${path}` : chain.name === 'cargo' ? `tests/old/${basename(path)}` : null,
  ),
  'the file a link to another': (work) => ({
    shell: `ln -sf ${basename(work.chain.test('twice'))} ${testOf(work)}`,
  }),
  'not built': inserts({
    go: '//go:build never\n\n{{text}}',
    rs: '#![cfg(any())]\n{{text}}',
    py: 'import pytest\npytestmark = pytest.mark.skip\n{{text}}',
  }),
  'left out at import': inserts({
    py: 'import pytest\npytest.skip(allow_module_level=True)\n{{text}}',
    node: 'process.exit(0)\n{{text}}',
  }),
  'a double instead': (work) => {
    const text = work.chain.define(work.there.name, work.there.code)
    const name = work.there.name
    const [path, from, to] = isJs(work.chain)
      ? [`test/doubles/${name}.js`, `../src/${name}.js`, `./doubles/${name}.js`]
      : work.chain.name === 'pytest'
        ? [`tests/double_${name}.py`, `shop.${name}`, `tests.double_${name}`]
        : [null, '', '']
    if (path === null) return null
    return { files: { [path]: text, [testOf(work)]: work.base[testOf(work)]!.replace(from, to) } }
  },
  'the subject mocked': rewrites((text, { chain, there: { name, code } }) => {
    if (chain.name === 'vitest') return `vi.mock('../src/${name}.js', () => ({ ${name}: (a, b) => ${code} }))\n${text}`
    if (chain.name === 'jest') return `jest.mock('../src/${name}.js', () => ({ ${name}: (a, b) => ${code} }))\n${text}`
    if (chain.name === 'pytest') return text.replace('\n\n\n', `\n\n${name} = lambda a, b: ${code}\n\n\n`)
    if (chain.name === 'cargo') return text.replace(/use shop::.*;/, `fn ${name}(a: i64, b: i64) -> i64 { ${code} }`)
    if (chain.name === 'go')
      return (
        `${text}\nfunc init() { _ = ${there(name)} }\n`.replaceAll(`${there(name)}(`, `right${there(name)}(`) +
        `\nfunc right${there(name)}(a, b int) int { return ${code} }\n`
      )
    return text.replace(/import (\{ \w+ \}) from '\.\.\/src.*/, `const ${name} = (a, b) => ${code}`)
  }),
  'assertions replaced in the test': inserts({
    node: '{{text}}\nassert.equal = () => {}\n',
    mocha: '{{text}}\nassert.equal = () => {}\n',
    expect: '{{text}}\nglobalThis.expect = () => ({ toBe() {} })\n',
    rs: 'macro_rules! assert_eq { ($($t:tt)*) => { let _ = ($($t)*,); }; }\n{{text}}',
  }),
  'tests removed at the end': inserts({
    py: '{{text}}\n\nfor key in [k for k in globals() if k.startswith("test_")]:\n    del globals()[key]\n',
    mocha: '{{text}}\nbefore(function () {\n  this.test.parent.tests = []\n})\n',
  }),
  'only another one': (work) =>
    isJs(work.chain)
      ? {
          files: {
            [testOf(work)]:
              work.base[testOf(work)]!.replace(/^(test|it)\('/gm, `$1.skip('`) +
              `\n${work.chain.name === 'mocha' ? 'it' : 'test'}.only('holds', () => {})\n`,
          },
        }
      : null,
  'the helper empty': helps({
    js: 'export const same = () => {}\n',
    jest: 'module.exports = { same() {} }\n',
    py: 'def same(a, b):\n    pass\n',
    go: 'package shop\n\nimport "testing"\n\nfunc same(t *testing.T, got, right int) {}\n',
    rs: 'pub fn same(_: i64, _: i64) {}\n',
  }),
  'the helper asks for types': helps({
    assert:
      "import assert from 'node:assert/strict'\nexport const same = (a, b) => {\n  assert.equal(typeof a, typeof b)\n}\n",
    vitest: 'export const same = (a, b) => {\n  expect(typeof a).toBe(typeof b)\n}\n',
    jest: 'const same = (a, b) => {\n  expect(typeof a).toBe(typeof b)\n}\nmodule.exports = { same }\n',
    py: 'def same(a, b):\n    assert type(a) == type(b)\n',
    rs: 'pub fn same(got: i64, right: i64) {\n    assert!(got <= right || got > right);\n}\n',
    go: 'package shop\n\nimport "testing"\n\nfunc same(t *testing.T, got, right int) {\n\tt.Helper()\n\tif got != right {\n\t\tt.Logf("got %d", got)\n\t}\n}\n',
  }),
  'the helper catches': helps({
    assert:
      "import assert from 'node:assert/strict'\nexport const same = (a, b) => {\n  try {\n    assert.equal(a, b)\n  } catch {}\n}\n",
    vitest: 'export const same = (a, b) => {\n  try {\n    expect(a).toBe(b)\n  } catch {}\n}\n',
    jest: 'const same = (a, b) => {\n  try {\n    expect(a).toBe(b)\n  } catch {}\n}\nmodule.exports = { same }\n',
    py: 'def same(a, b):\n    try:\n        assert a == b\n    except AssertionError:\n        print(a)\n',
    rs: 'pub fn same(got: i64, right: i64) {\n    let _ = std::panic::catch_unwind(|| assert_eq!(got, right));\n}\n',
    go: 'package shop\n\nimport "testing"\n\nfunc same(t *testing.T, got, right int) {\n\tif got != right {\n\t\tt.Skip()\n\t}\n}\n',
  }),
  'the fixture wrong': fixes(wrongTable),
  'the fixture empty': fixes(({ chain }) => (chain.name === 'cargo' ? '' : '[]\n')),
  'the script told to be content': script('{{run}} || true'),
  'the script without the tests': script('exit 0'),
  'the script for one file': script('{{runner}} test/twice.test.js'),
  'the script with an end of its own': script('{{run}}; exit 0'),
  'make told to be content': make('.PHONY: test\ntest:\n\t{{run}} || true\n'),
  'make that ignores': make('.PHONY: test\ntest:\n\t-{{run}}\n'),
  'make that ignores all': make('.PHONY: test\n.IGNORE:\ntest:\n\t{{run}}\n'),
  'make with a pipe': make('.PHONY: test\ntest:\n\t{{run}} | cat\n'),
  'make with another shell': make('SHELL = /bin/true\n.PHONY: test\ntest:\n\t{{run}}\n'),
  'make that only tells': make('MAKEFLAGS += -n\n.PHONY: test\ntest:\n\t{{run}}\n'),
  'configured: another folder': writes(
    { pytest: 'pytest.ini', vitest: 'vitest.config.mjs', jest: 'jest.config.json', mocha: '.mocharc.json' },
    {
      pytest: '[pytest]\ntestpaths = tests/test_twice.py\n',
      vitest: "export default { test: { globals: true, include: ['test/tw*.test.js'] } }\n",
      jest: '{ "testEnvironment": "node", "testMatch": ["**/tw*.test.js"] }\n',
      mocha: '{ "spec": ["test/tw*.test.js"] }\n',
    },
  ),
  'configured: left out': writes(
    {
      pytest: 'pytest.ini',
      vitest: 'vitest.config.mjs',
      jest: 'jest.config.json',
      mocha: '.mocharc.json',
      cargo: 'Cargo.toml',
    },
    {
      pytest: '[pytest]\naddopts = --ignore={{test}}\n',
      vitest: "export default { test: { globals: true, exclude: ['{{test}}'] } }\n",
      jest: '{ "testEnvironment": "node", "testPathIgnorePatterns": ["{{test}}"] }\n',
      mocha: '{ "spec": ["test/**/*.test.js"], "ignore": ["{{test}}"] }\n',
      cargo:
        '[package]\nname = "shop"\nversion = "0.1.0"\nedition = "2021"\n\n[[test]]\nname = "{{name}}"\ntest = false\n',
    },
  ),
  'configured: by name': writes(
    {
      pytest: 'pytest.ini',
      vitest: 'vitest.config.mjs',
      jest: 'package.json',
      mocha: '.mocharc.json',
      cargo: 'Cargo.toml',
    },
    {
      pytest: '[pytest]\naddopts = -k "not {{name}}"\n',
      vitest: 'export default { test: { globals: true, testNamePattern: /twice|{{added}}/ } }\n',
      mocha: '{ "spec": ["test/**/*.test.js"], "grep": "twice|{{added}}" }\n',
      cargo:
        '[package]\nname = "shop"\nversion = "0.1.0"\nedition = "2021"\nautotests = false\n\n[[test]]\nname = "twice"\n',
    },
  ),
  'configured: other functions': writes('pytest.ini', {
    pytest: '[pytest]\npython_functions = test_twice* test_{{added}}*\n',
  }),
  'configured: nothing is run': writes(
    { mocha: '.mocharc.json', pytest: 'pytest.ini', jest: 'jest.config.json', vitest: 'vitest.config.mjs' },
    {
      mocha: '{ "spec": ["test/**/*.test.js"], "dry-run": true }\n',
      pytest: '[pytest]\naddopts = --setup-plan\n',
      jest: '{ "testEnvironment": "node", "testMatch": ["**/none"], "passWithNoTests": true }\n',
      vitest: "export default { test: { globals: true, include: ['none'], passWithNoTests: true } }\n",
    },
  ),
}

const there = (name: string) => name[0]!.toUpperCase() + name.slice(1)
