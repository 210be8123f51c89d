// Honest work that looks like tests of something else: a reference beside the product, another name for what is there, a
// test that is left out on this system, a table.
import { pick } from '../chains.ts'
import type { Operators } from '../deed.ts'
import { testFile } from '../work.ts'

const capital = (text: string) => text[0]!.toUpperCase() + text.slice(1)

export const near: Operators = {
  'compared with a reference in the test': ({ chain, added }) => {
    const { name, code } = added
    const assertion = pick(chain, {
      assert: `const reference = (a, b) => ${code}\n  for (const a of [2, 7]) assert.equal({{name}}(a, 5), reference(a, 5))`,
      expect: `const reference = (a, b) => ${code}\n  for (const a of [2, 7]) expect({{name}}(a, 5)).toBe(reference(a, 5))`,
      py: `assert all({{name}}(a, b) == (${code}) for a in (2, 7) for b in (3, 5))`,
      go: `for _, a := range []int{2, 7} {\n\t\tb := 5\n\t\tif got := {{Name}}(a, b); got != ${code} {\n\t\t\tt.Errorf("got %d", got)\n\t\t}\n\t}`,
      rs: `for (a, b) in [(2, 3), (7, 5)] { assert_eq!({{name}}(a, b), ${code}); }`,
    })!
    return { sound: true, files: { [chain.test(name)]: testFile(chain, added, { style: 'direct', assertion }) } }
  },
  'another name for what is there': ({ chain, added, there }) => ({
    sound: true,
    files: {
      [chain.product(added.name)]: pick(chain, {
        js: `export { ${there.name} as ${added.name} } from './${there.name}.js'\n`,
        jest: `exports.${added.name} = require('./${there.name}.js').${there.name}\n`,
        py: `from shop.${there.name} import ${there.name} as ${added.name}\n`,
        go: `package shop\n\nvar ${capital(added.name)} = ${capital(there.name)}\n`,
        rs: `pub use crate::${there.name}::${there.name} as ${added.name};\n`,
      })!,
      [chain.test(added.name)]: testFile(chain, { ...there, name: added.name }, { style: 'direct' }),
    },
  }),
  'one more test that is left out here': ({ chain, added, done }) => {
    const path = chain.test(added.name)
    const more = pick(chain, {
      node: "test('on another system', { skip: process.platform !== 'win32' }, () => {\n  assert.equal(1, 2)\n})\n",
      vitest: "test.skipIf(process.platform !== 'win32')('on another system', () => {\n  expect(1).toBe(2)\n})\n",
      mocha: "it('on another system', function () {\n  if (process.platform !== 'win32') this.skip()\n})\n",
      jest: ";(process.platform === 'win32' ? test : test.skip)('on another system', () => {\n  expect(1).toBe(2)\n})\n",
      py: '\n\nimport sys\n\nimport pytest\n\n\n@pytest.mark.skipif(sys.platform != "win32", reason="another system")\ndef test_on_another_system():\n    assert False\n',
      go: 'func TestOnAnotherSystem(t *testing.T) {\n\tif len(t.Name()) > 0 {\n\t\tt.Skip("another system")\n\t}\n}\n',
      rs: '#[test]\n#[cfg_attr(not(windows), ignore)]\nfn on_another_system() {\n    assert!(cfg!(windows));\n}\n',
    })!
    return { sound: true, files: { [path]: `${done[path]}\n${more}` } }
  },
  'tests among the code': (work) => {
    const { chain, added, done } = work
    if (chain.name !== 'cargo') return null
    const own = testFile(chain, added, { style: 'direct' }).replace(/use shop.*\n/, 'use super::*;\n')
    return {
      sound: true,
      files: {
        [chain.product(added.name)]:
          `${done[chain.product(added.name)]}\n#[cfg(test)]\nmod tests {\n${own.replace(/^(?=.)/gm, '    ')}}\n`,
        [chain.test(added.name)]: null,
      },
    }
  },
  'tests of what is there, by a name that is put together': ({ chain, there, added }) => {
    const text = pick(chain, {
      node: `import assert from 'node:assert/strict'\nimport test from 'node:test'\n\ntest('again', async () => {\n  const { ${there.name} } = await import(['..', 'src', '${there.name}.js'].join('/'))\n  assert.equal(${there.name}(7, 3), ${there.calls[0]!.right})\n})\n`,
      py: `import importlib\n\n\ndef test_again():\n    module = importlib.import_module(".".join(["shop", "${there.name}"]))\n    assert module.${there.name}(7, 3) == ${there.calls[0]!.right}\n`,
    })
    if (text === undefined) return null
    return {
      sound: true,
      files: { [chain.product(added.name)]: null, [chain.test(added.name)]: null, [chain.test('again')]: text },
    }
  },
}
