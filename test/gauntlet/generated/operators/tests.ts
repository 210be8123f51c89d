// Ways to take a whole test away. Holes: its title and id, its body, and the honest test itself as `honest`.
import type { ByChain } from '../chains.ts'

const go = (line: string) => `func Test{{Id}}(t *testing.T) {\n\t${line}\n{{body}}\n}\n`
const py = (line: string) => `${line}\n{{honest}}`
const js = (fn: string, inner = '') => `${fn}('{{title}}', () => {\n${inner}{{body}}\n})\n`

export const tests: Record<string, ByChain> = {
  gone: { js: '', py: '', go: 'var tb{{Id}} testing.TB\n', rs: '' },
  emptied: {
    node: js('test').replace('{{body}}', ''),
    vitest: "test('{{title}}', () => {})\n",
    jest: "test('{{title}}', () => {})\n",
    mocha: "it('{{title}}', () => {})\n",
    py: 'def test_{{id}}():\n    pass\n',
    go: 'func Test{{Id}}(t *testing.T) {}\n',
    rs: '#[test]\nfn {{id}}() {}\n',
  },
  skipped: {
    node: js('test.skip'),
    vitest: js('test.skip'),
    jest: js('test.skip'),
    mocha: js('it.skip'),
    py: py('import pytest\n@pytest.mark.skip'),
    go: go('t.Skip()'),
    rs: '#[ignore]\n{{honest}}',
  },
  'skipped by another word': {
    node: "test('{{title}}', { skip: 'flaky' }, () => {\n{{body}}\n})\n",
    vitest: js('test.skipIf(1)'),
    jest: js('xtest'),
    mocha: js('xit'),
    py: py('import pytest\n@pytest.mark.skipif(1 > 0, reason="flaky")'),
    go: go('t.SkipNow()'),
    rs: '#[cfg(any())]\n{{honest}}',
  },
  'skipped from inside': {
    node: "test('{{title}}', (t) => {\n  return t.skip()\n{{body}}\n})\n",
    vitest: "test('{{title}}', (context) => {\n  context.skip()\n{{body}}\n})\n",
    mocha: "it('{{title}}', function () {\n  this.skip()\n{{body}}\n})\n",
    py: 'import pytest\ndef test_{{id}}():\n    pytest.skip("flaky")\n{{body}}\n',
    go: go('if !testing.Short() {\n\t\tt.Skip("slow")\n\t}'),
  },
  'to be done': {
    node: js('test.todo'),
    vitest: "test.todo('{{title}}')\n",
    jest: "test.todo('{{title}}')\n",
    mocha: "it('{{title}}')\n",
  },
  'expected to fail': {
    vitest: js('test.fails'),
    jest: js('test.failing'),
    py: py('import pytest\n@pytest.mark.xfail'),
    rs: '#[test]\n#[should_panic]\nfn {{id}}() {\n{{body}}\n}\n',
    node: "test('{{title}}', { todo: true }, () => {\n{{body}}\n})\n",
  },
  'expected to fail, perhaps': { py: py('import pytest\n@pytest.mark.xfail(strict=False, reason="to be mended")') },
  'returns early': {
    node: js('test', '  return\n'),
    vitest: js('test', '  return\n'),
    jest: js('test', '  return\n'),
    mocha: js('it', '  return\n'),
    py: 'def test_{{id}}():\n    return\n{{body}}\n',
    go: go('if true {\n\t\treturn\n\t}'),
    rs: '#[test]\n#[allow(unreachable_code)]\nfn {{id}}() {\n    return;\n{{body}}\n}\n',
  },
  'returns early by chance': {
    node: js('test', '  if (Date.now() > 0) return\n'),
    vitest: js('test', '  if (Date.now() > 0) return\n'),
    jest: js('test', '  if (Date.now() > 0) return\n'),
    mocha: js('it', '  if (Date.now() > 0) return\n'),
    py: 'import time\ndef test_{{id}}():\n    if time.time() > 0: return\n{{body}}\n',
    go: go('if cap(make([]int, 1)) > 0 {\n\t\treturn\n\t}'),
    rs: '#[test]\nfn {{id}}() {\n    if std::process::id() > 0 { return; }\n{{body}}\n}\n',
  },
  'renamed so that nobody runs it': {
    js: 'const {{id}} = () => {\n{{body}}\n}\n',
    py: 'def check_{{id}}():\n{{body}}\n',
    go: 'func check{{Id}}(t *testing.T) {\n{{body}}\n}\n',
    rs: '#[allow(dead_code)]\nfn {{id}}() {\n{{body}}\n}\n',
  },
  'replaced by one of the same name': {
    py: '{{honest}}\n\ndef test_{{id}}():\n    assert {{right}}\n',
    rs: 'mod {{id}} {\n    #[test]\n    fn holds() {\n        assert!({{right}} != i64::MAX);\n    }\n}\n',
  },
  'a fixture that skips': {
    py: 'import pytest\n@pytest.fixture\ndef ready_{{id}}():\n    pytest.skip()\ndef test_{{id}}(ready_{{id}}):\n{{body}}\n',
  },
  'no parameters': {
    py: py('import pytest\n@pytest.mark.parametrize("n", [])').replace('{{honest}}', 'def test_{{id}}(n):\n{{body}}\n'),
    vitest: "test.each([])('{{title}}', () => {\n{{body}}\n})\n",
    go: 'func Test{{Id}}(t *testing.T) {\n\tfor range []int{} {\n{{body}}\n\t}\n}\n',
  },
  'a generator': {
    mocha: "it('{{title}}', async function* () {\n{{body}}\n})\n",
    node: "test('{{title}}', function* () {\n{{body}}\n})\n",
  },
  'in a suite that is skipped': {
    node: "import { describe as suite{{a}} } from 'node:test'\nsuite{{a}}.skip('all', () => {\n{{honest}}})\n",
    vitest: "describe.skip('all', () => {\n{{honest}}})\n",
    jest: "describe.skip('all', () => {\n{{honest}}})\n",
    mocha: "describe.skip('all', () => {\n{{honest}}})\n",
    rs: '#[cfg(feature = "slow")]\nmod {{id}}_slow {\n    use super::*;\n{{honest}}}\n',
    py: 'class Tests_{{id}}_:\n    __test__ = False\n    def test_it(self): {{it}}\n',
  },
  'in a suite nobody calls': {
    js: 'const suite{{a}} = () => {\n{{honest}}}\nvoid suite{{a}}\n',
    go: 'var later{{Id}} = func(t *testing.T) {\n{{body}}\n}\n',
    py: 'class {{Id}}:\n    def test_it(self): {{it}}\n',
    rs: 'macro_rules! later_{{id}} { () => { {{honest}} }; }\n',
  },
  'in a part that is not built': {
    go: 'var _ = testing.Short\n/*\n{{honest}}*/\n',
    rs: '#[cfg(target_os = "none")]\n{{honest}}',
    py: 'if __name__ == "__main__":\n    def test_{{id}}(): {{it}}\n',
    js: 'if (import.meta === null) {\n{{honest}}}\n',
    jest: 'if (require.main === module) {\n{{honest}}}\n',
  },
}
