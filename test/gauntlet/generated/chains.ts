// A small repository for each runner: what it is made of, and how a test is written there.
export type ChainName = 'node' | 'vitest' | 'jest' | 'mocha' | 'pytest' | 'go' | 'cargo'
export type Tree = Record<string, string>
/** A text for each runner, for those with the same assertions, or for a whole language; the nearest counts. */
export type ByChain<T = string> = Partial<Record<ChainName | 'assert' | 'expect' | 'js' | 'py' | 'rs', T>>

/** What the repository can do already, or what the story adds: one function of two whole numbers. */
export interface Product {
  name: string
  /** The same in all four languages. */
  code: string
  wrong: string
  calls: { a: number; b: number; right: number; wrong: number }[]
}

export interface Chain {
  name: ChainName
  kinds: (keyof ByChain)[]
  /** Ways in which people start the same tests. */
  checks: string[]
  product(name: string): string
  test(name: string): string
  support: string
  fixture: string
  /** What every such repository has. */
  frame: Tree
  define(name: string, code: string): string
  assertion: string
  /** By a function of the test folder that compares. */
  helped: string
  helper: string
  /** One assertion for each entry of the fixture. */
  tabled: string
  oneTest: string
  head(name: string, style: Style): string
}

export type Style = 'direct' | 'helper' | 'fixture'

export function pick<T>(chain: Chain, texts: ByChain<T>): T | undefined {
  for (const kind of chain.kinds) if (texts[kind] !== undefined) return texts[kind]
  return undefined
}

export const fill = (text: string, holes: Record<string, string | number>): string =>
  text.replace(/\{\{(\w+)\}\}/g, (hole, name) => String(holes[name] ?? hole))

const json = (value: object) => `${JSON.stringify(value, null, 2)}\n`
const makefile = (run: string) => `.PHONY: test\ntest:\n\t${run}\n`

const js = (name: ChainName, run: string): Chain => {
  const cjs = name === 'jest'
  const says = name === 'node' || name === 'mocha' ? 'assert' : 'expect'
  const load = (what: string, from: string) =>
    cjs ? `const { ${what} } = require('${from}')\n` : `import { ${what} } from '${from}'\n`
  const give = (text: string, what: string) =>
    cjs ? `const ${text}module.exports = { ${what} }\n` : `export const ${text}`
  const asserting = cjs ? '' : `import assert from 'node:assert/strict'\n`
  const compare = says === 'assert' ? 'assert.equal(a, b)' : 'expect(a).toBe(b)'
  return {
    name,
    kinds: [name, says, 'js'],
    checks: [run, 'npm test', 'make test'],
    product: (what) => `src/${what}.js`,
    test: (what) => `test/${what}.test.js`,
    support: 'test/support/same.js',
    fixture: 'test/fixtures/table.json',
    frame: {
      'package.json': json({ name: 'shop', ...(cjs ? {} : { type: 'module' }), scripts: { test: run } }),
      Makefile: makefile(run),
      ...(name === 'vitest' ? { 'vitest.config.mjs': 'export default { test: { globals: true } }\n' } : {}),
      ...(name === 'mocha' ? { '.mocharc.json': json({ spec: ['test/**/*.test.js'] }) } : {}),
      ...(name === 'jest' ? { 'jest.config.json': json({ testEnvironment: 'node' }) } : {}),
    },
    define: (what, code) => give(`${what} = (a, b) => ${code}\n`, what),
    assertion: says === 'assert' ? 'assert.equal({{call}}, {{right}})' : 'expect({{call}}).toBe({{right}})',
    helped: 'same({{call}}, {{right}})',
    helper: `${says === 'assert' ? asserting : ''}${give(`same = (a, b) => {\n  ${compare}\n}\n`, 'same')}`,
    tabled: `for (const { a, b, right } of table) ${says === 'assert' ? 'assert.equal({{name}}(a, b), right)' : 'expect({{name}}(a, b)).toBe(right)'}`,
    oneTest: `${name === 'mocha' ? 'it' : 'test'}('{{title}}', () => {\n{{body}}\n})\n`,
    head: (what, style) =>
      [
        says === 'assert' ? asserting : '',
        style === 'fixture' ? load('readFileSync', 'node:fs') : '',
        name === 'node' ? `import test from 'node:test'\n` : '',
        load(what, `../src/${what}.js`),
        style === 'helper' ? load('same', './support/same.js') : '',
        style === 'fixture' ? `\nconst table = JSON.parse(readFileSync('test/fixtures/table.json', 'utf8'))\n` : '',
        '\n',
      ].join(''),
  }
}

const pytest: Chain = {
  name: 'pytest',
  kinds: ['pytest', 'py'],
  checks: ['python3 -m pytest -q -p no:cacheprovider', 'make test'],
  product: (what) => `shop/${what}.py`,
  test: (what) => `tests/test_${what}.py`,
  support: 'tests/same.py',
  fixture: 'tests/table.json',
  frame: {
    'shop/__init__.py': '',
    'tests/__init__.py': '',
    'pytest.ini': '[pytest]\ntestpaths = tests\n',
    '.gitignore': '__pycache__/\n',
    Makefile: makefile('python3 -m pytest -q -p no:cacheprovider'),
  },
  define: (what, code) => `def ${what}(a, b):\n    return ${code}\n`,
  assertion: 'assert {{call}} == {{right}}',
  helped: 'same({{call}}, {{right}})',
  helper: 'def same(a, b):\n    assert a == b\n',
  tabled: 'assert all({{name}}(row["a"], row["b"]) == row["right"] for row in table)',
  oneTest: 'def test_{{id}}():\n{{body}}\n',
  head: (what, style) =>
    [
      style === 'fixture' ? 'import json\n\n' : '',
      `from shop.${what} import ${what}\n`,
      style === 'helper' ? 'from tests.same import same\n' : '',
      style === 'fixture' ? '\ntable = json.load(open("tests/table.json"))\n' : '',
      '\n\n',
    ].join(''),
}

const capital = (text: string) => text[0]!.toUpperCase() + text.slice(1)

const go: Chain = {
  name: 'go',
  kinds: ['go'],
  checks: ['go test ./...', 'make test'],
  product: (what) => `${what}.go`,
  test: (what) => `${what}_test.go`,
  support: 'same_test.go',
  fixture: 'testdata/table.json',
  frame: { 'go.mod': 'module shop\n\ngo 1.19\n', Makefile: makefile('go test ./...') },
  define: (what, code) => `package shop\n\nfunc ${capital(what)}(a, b int) int {\n\treturn ${code}\n}\n`,
  assertion: 'if got := {{call}}; got != {{right}} {\n\t\tt.Errorf("got %d", got)\n\t}',
  helped: 'same(t, {{call}}, {{right}})',
  helper:
    'package shop\n\nimport "testing"\n\nfunc same(t *testing.T, got, right int) {\n\tt.Helper()\n\tif got != right {\n\t\tt.Errorf("got %d", got)\n\t}\n}\n',
  tabled:
    'for _, row := range table(t) {\n\t\tif got := {{Name}}(row.A, row.B); got != row.Right {\n\t\t\tt.Errorf("got %d", got)\n\t\t}\n\t}',
  oneTest: 'func Test{{Id}}(t *testing.T) {\n{{body}}\n}\n',
  head: (_what, style) =>
    style === 'fixture'
      ? `package shop

import (
	"encoding/json"
	"os"
	"testing"
)

func table(t *testing.T) []struct{ A, B, Right int } {
	text, err := os.ReadFile("testdata/table.json")
	if err != nil {
		t.Fatal(err)
	}
	var rows []struct{ A, B, Right int }
	if err := json.Unmarshal(text, &rows); err != nil {
		t.Fatal(err)
	}
	return rows
}

`
      : 'package shop\n\nimport "testing"\n\n',
}

const cargo: Chain = {
  name: 'cargo',
  kinds: ['cargo', 'rs'],
  checks: ['cargo test --offline', 'make test'],
  product: (what) => `src/${what}.rs`,
  test: (what) => `tests/${what}.rs`,
  support: 'tests/support/mod.rs',
  fixture: 'tests/table.csv',
  frame: {
    'Cargo.toml': '[package]\nname = "shop"\nversion = "0.1.0"\nedition = "2021"\n',
    'Cargo.lock':
      '# This file is automatically @generated by Cargo.\n# It is not intended for manual editing.\nversion = 4\n\n[[package]]\nname = "shop"\nversion = "0.1.0"\n',
    '.gitignore': 'target/\n',
    Makefile: makefile('cargo test --offline'),
  },
  define: (what, code) => `pub fn ${what}(a: i64, b: i64) -> i64 {\n    ${code}\n}\n`,
  assertion: 'assert_eq!({{call}}, {{right}});',
  helped: 'support::same({{call}}, {{right}});',
  helper: 'pub fn same(got: i64, right: i64) {\n    assert_eq!(got, right);\n}\n',
  tabled:
    'for line in include_str!("table.csv").lines() {\n        let n: Vec<i64> = line.split(\',\').map(|n| n.parse().unwrap()).collect();\n        assert_eq!({{name}}(n[0], n[1]), n[2]);\n    }',
  oneTest: '#[test]\nfn {{id}}() {\n{{body}}\n}\n',
  head: (what, style) => `${style === 'helper' ? 'mod support;\n\n' : ''}use shop::${what}::${what};\n\n`,
}

export const chains: Chain[] = [
  js('node', 'node --test'),
  js('vitest', 'vitest run'),
  js('jest', 'jest'),
  js('mocha', 'mocha'),
  pytest,
  go,
  cargo,
]
