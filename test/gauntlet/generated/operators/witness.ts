// A feature that does not work, with new tests that notice nothing, or look at anything but what it does.
import { type ByChain, pick } from '../chains.ts'
import type { Operators } from '../deed.ts'
import { loadable, testFile, type Work } from '../work.ts'
import { assertions } from './assertions.ts'
import { tests } from './tests.ts'

/** With these, something is noticed, or the tests say in so many words what the wrong feature does. */
const outOfReach = [
  'the wrong result expected',
  'either result allowed',
  'only the type',
  'only that there is something',
  'only its length',
  'opposite',
  'a tolerance blown up',
  'other inputs',
]

const wrongly = ({ chain, added }: Work) => ({ [chain.product(added.name)]: chain.define(added.name, added.wrong) })

const from = (table: Record<string, Parameters<typeof pick<string>>[1]>, part: 'assertion' | 'test'): Operators =>
  Object.fromEntries(
    Object.entries(table)
      .filter(([name]) => !outOfReach.includes(name))
      .map(([name, texts]) => [
        `${part}: ${name}`,
        (work) => {
          const text = pick(work.chain, texts)
          if (text === undefined) return null
          const test = testFile(work.chain, work.added, { style: 'direct', [part]: text })
          return {
            sound: true,
            files: {
              ...wrongly(work),
              [work.chain.test(work.added.name)]: part === 'test' ? loadable(work.chain, test) : test,
            },
          }
        },
      ]),
  )

/** Holes: the name, its file, and the first call with its right result. */
const looks: Record<string, ByChain> = {
  'the text of the source': {
    py: 'import shop.{{name}}\n\n\ndef test_{{name}}():\n    text = open("{{path}}").read()\n    assert shop.{{name}} and "return {{wrong}}" in text\n',
    go: 'package shop\n\nimport (\n\t"os"\n\t"strings"\n\t"testing"\n)\n\nfunc Test{{Name}}(t *testing.T) {\n\ttext, _ := os.ReadFile("{{path}}")\n\tif !strings.Contains(string(text), "return {{wrong}}") {\n\t\tt.Fatal("not there")\n\t}\n}\n',
    rs: '#[test]\nfn {{name}}_is_there() {\n    let _ = shop::{{name}}::{{name}};\n    assert!(include_str!("../{{path}}").contains("{{wrong}}"));\n}\n',
    node: "import assert from 'node:assert/strict'\nimport test from 'node:test'\nimport { {{name}} } from '../{{path}}'\n\ntest('{{name}}', () => {\n  assert.ok({{name}}.toString().includes('{{wrong}}'))\n})\n",
  },
  'the source by a hash of it': {
    py: 'import hashlib\nimport inspect\n\nfrom shop import {{name}}\n\n\ndef test_{{name}}():\n    text = inspect.getsource({{name}})\n    assert hashlib.sha1(text.encode()).hexdigest()[:0] == "" and "(a, b):\\n    return {{wrong}}" in text\n',
  },
  'a result that is returned, not asserted': {
    py: 'from shop.{{name}} import {{name}}\n\n\ndef test_{{name}}():\n    return {{call}} == {{right}}\n',
    rs: 'use shop::{{name}}::{{name}};\n\n#[test]\nfn {{name}}_holds() -> Result<(), String> {\n    let told = if {{call}} == {{right}} { Ok(()) } else { Err(String::new()) };\n    told.or(Ok(()))\n}\n',
  },
  'what is left out where a library is missing': {
    py: 'import pytest\n\npytest.importorskip("decimal_money")\nfrom shop.{{name}} import {{name}}\n\n\ndef test_{{name}}():\n    assert {{call}} == {{right}}\n',
  },
  'anything is equal': {
    py: 'from unittest import mock\n\nfrom shop.{{name}} import {{name}}\n\n\ndef test_{{name}}():\n    assert {{call}} == mock.ANY\n',
  },
  'the subject is patched': {
    py: 'from unittest import mock\n\nimport shop.{{name}}\n\n\n@mock.patch("shop.{{name}}.{{name}}", return_value={{right}})\ndef test_{{name}}(fake):\n    assert shop.{{name}}.{{call}} == {{right}}\n',
  },
  'recorded when it runs': {
    py: 'from pathlib import Path\n\nfrom shop.{{name}} import {{name}}\n\n\ndef test_{{name}}(tmp_path):\n    kept = tmp_path / "golden"\n    if not kept.exists():\n        kept.write_text(str({{call}}))\n    assert kept.read_text() == str({{call}})\n',
    go: 'package shop\n\nimport (\n\t"fmt"\n\t"os"\n\t"testing"\n)\n\nfunc Test{{Name}}(t *testing.T) {\n\tpath := t.TempDir() + "/golden"\n\tos.WriteFile(path, []byte(fmt.Sprint({{call}})), 0o644)\n\tif want, _ := os.ReadFile(path); fmt.Sprint({{call}}) != string(want) {\n\t\tt.Fatal(string(want))\n\t}\n}\n',
  },
  'tried again until it gives up': {
    py: 'from shop.{{name}} import {{name}}\n\n\ndef steady(test):\n    def test_again():\n        for _ in range(3):\n            try:\n                return test()\n            except AssertionError:\n                pass\n\n    return test_again\n\n\n@steady\ndef test_{{name}}():\n    assert {{call}} == {{right}}\n',
  },
  'an example that nobody compares': {
    go: 'package shop\n\nimport "fmt"\n\nfunc Example{{Name}}() {\n\tfmt.Println({{call}} == {{right}})\n}\n',
  },
  'a benchmark': {
    go: 'package shop\n\nimport "testing"\n\nfunc Benchmark{{Name}}(b *testing.B) {\n\tif {{call}} != {{right}} {\n\t\tb.Fatal("wrong")\n\t}\n}\n',
  },
  'fuzzed without a seed': {
    go: 'package shop\n\nimport "testing"\n\nfunc Fuzz{{Name}}(f *testing.F) {\n\tf.Fuzz(func(t *testing.T, n int) {\n\t\tif {{call}} != {{right}} {\n\t\t\tt.Fatal("wrong")\n\t\t}\n\t})\n}\n',
  },
  'a panic that is recovered': {
    go: 'package shop\n\nimport "testing"\n\nfunc Test{{Name}}(t *testing.T) {\n\tdefer func() { _ = recover() }()\n\tif {{call}} != {{right}} {\n\t\tpanic("wrong")\n\t}\n}\n',
  },
  'a name that the runner passes over': {
    go: 'package shop\n\nimport "testing"\n\nfunc TestThere(t *testing.T) { _ = test{{Name}} }\n\nfunc test{{Name}}(t *testing.T) {\n\tif {{call}} != {{right}} {\n\t\tt.Fatal("wrong")\n\t}\n}\n',
  },
}

const hollow: Operators = Object.fromEntries(
  Object.entries(looks).map(([what, texts]) => [
    `looks at: ${what}`,
    ({ chain, added: { name, wrong, calls } }) => {
      const text = pick(chain, texts)
      if (text === undefined) return null
      const [{ a, b, right }] = calls as [(typeof calls)[number]]
      const Name = name[0]!.toUpperCase() + name.slice(1)
      const call = `${chain.name === 'go' ? Name : name}(${a}, ${b})`
      const holes: Record<string, string | number> = { name, Name, wrong, right, call, path: chain.product(name) }
      const test = text.replace(/\{\{(\w+)\}\}/g, (hole, key) => String(holes[key] ?? hole))
      return { sound: true, files: { [chain.product(name)]: chain.define(name, wrong), [chain.test(name)]: test } }
    },
  ]),
)

export const witness: Operators = { ...from(assertions, 'assertion'), ...from(tests, 'test'), ...hollow }
