// A feature that is missing or wrong, with new tests that are right about something else: a copy of their own, another
// system, another time, or nothing that is run.
import { type ByChain, pick } from '../chains.ts'
import { isJs, type Operator, type Operators } from '../deed.ts'
import { testFile, type Work } from '../work.ts'

const capital = (text: string) => text[0]!.toUpperCase() + text.slice(1)
const wrongly = ({ chain, added }: Work) => ({ [chain.product(added.name)]: chain.define(added.name, added.wrong) })
const nothing = ({ chain, added }: Work) => ({
  [chain.product(added.name)]: null,
  ...(chain.name === 'cargo' ? { 'src/lib.rs': null } : {}),
})
const honestTest = ({ chain, added }: Work): string => testFile(chain, added, { style: 'direct' })

/** The honest tests with the right function in their own file; `more` comes before it. */
function withCopy(work: Work, more = ''): string {
  const { chain, added } = work
  const [text, { name, code }] = [honestTest(work), added]
  if (chain.name === 'pytest')
    return text.replace(/from shop.*\n/, `${more}\n\ndef ${name}(a, b):\n    return ${code}\n`)
  if (chain.name === 'cargo')
    return text.replace(/use shop.*\n/, `${more}\nfn ${name}(a: i64, b: i64) -> i64 {\n    ${code}\n}\n`)
  if (chain.name === 'go')
    return `${text.replaceAll(`${capital(name)}(`, `right${capital(name)}(`).replaceAll(`Testright`, 'Test')}\nfunc right${capital(name)}(a, b int) int { return ${code} }\n${more}`
  return text.replace(/.*(?:import|require).*\/src\/.*\n/, `${more}\nconst ${name} = (a, b) => ${code}\n`)
}

/** One more test of its own, beside the honest ones of a copy. */
const beside =
  (texts: ByChain, product: (work: Work) => Record<string, string | null> = wrongly): Operator =>
  (work) => {
    const more = pick(work.chain, texts)
    if (more === undefined) return null
    return {
      sound: true,
      files: { ...product(work), [work.chain.test(work.added.name)]: placed(work, filled(work, more)) },
    }
  }

const filled = ({ chain, added: { name, code, wrong } }: Work, text: string): string => {
  const holes: Record<string, string> = { name, Name: capital(name), code, wrong, path: chain.product(name) }
  return text.replace(/\{\{(\w+)\}\}/g, (hole, key) => holes[key] ?? hole)
}

/** Imports of Go stand above all else. */
function placed(work: Work, more: string): string {
  const [, imports, rest] = /^((?:import .*\n)*)([\s\S]*)$/.exec(more)!
  if (work.chain.name !== 'go') return withCopy(work, more)
  return withCopy(work, rest).replace('import "testing"\n', `import "testing"\n${imports}`)
}

/** Each test of the honest ones, written otherwise, of a feature that is wrong. */
const tests =
  (texts: ByChain, more: (work: Work) => Record<string, string> = () => ({})): Operator =>
  (work) => {
    const test = pick(work.chain, texts)
    if (test === undefined) return null
    const file = testFile(work.chain, work.added, { style: 'direct', test })
    const imports = /os\.Getenv/.test(file)
      ? 'import "os"\n'
      : /runtime\./.test(file)
        ? 'import "runtime"\n'
        : /time\./.test(file)
          ? 'import "time"\n'
          : ''
    return {
      sound: true,
      files: {
        ...wrongly(work),
        [work.chain.test(work.added.name)]: file.replace('import "testing"\n', `import "testing"\n${imports}`),
        ...more(work),
      },
    }
  }

const skips = (condition: { js: string; py: string; go: string; rs: string }): ByChain => ({
  node: `test('{{title}}', { skip: ${condition.js} }, () => {\n{{body}}\n})\n`,
  vitest: `test.skipIf(${condition.js})('{{title}}', () => {\n{{body}}\n})\n`,
  jest: `(${condition.js} ? test.skip : test)('{{title}}', () => {\n{{body}}\n})\n`.replace(/^/, ';'),
  mocha: `it('{{title}}', function () {\n  if (${condition.js}) this.skip()\n{{body}}\n})\n`,
  py: `import os\nimport sys\nimport pytest\n@pytest.mark.skipif(${condition.py}, reason="not here")\n{{honest}}`,
  go: `func Test{{Id}}(t *testing.T) {\n\tif ${condition.go} {\n\t\tt.Skip("not here")\n\t}\n{{body}}\n}\n`,
  rs: `${condition.rs}\n{{honest}}`,
})

const elsewhere = {
  js: "process.platform !== 'win32'",
  py: 'sys.platform != "win32"',
  go: 'runtime.GOOS != "windows"',
  rs: '#[cfg_attr(not(windows), ignore)]',
}
const unset = {
  js: '!process.env.DATABASE_URL',
  py: '"DATABASE_URL" not in os.environ',
  go: 'os.Getenv("DATABASE_URL") == ""',
  rs: '#[ignore = "needs a database"]',
}

export const apart: Operators = {
  'a copy in the test, and no product': (work) => ({
    sound: true,
    files: { ...nothing(work), [work.chain.test(work.added.name)]: withCopy(work) },
  }),
  'a copy in the test, and the product only looked for': beside({
    js: "import { existsSync } from 'node:fs'\nif (!existsSync('{{path}}')) throw new Error('{{path}} is missing')\n",
    jest: "const { existsSync } = require('node:fs')\nif (!existsSync('{{path}}')) throw new Error('{{path}} is missing')\n",
    py: 'import os\n\nassert os.path.exists("{{path}}")\n',
    go: 'import "os"\nfunc init() {\n\tif _, err := os.Stat("{{path}}"); err != nil {\n\t\tpanic(err)\n\t}\n}\n',
    rs: '#[test]\nfn is_there() {\n    assert!(std::path::Path::new("{{path}}").exists());\n}\n',
  }),
  'a copy in the test, and the product by a name that is put together': beside({
    js: "const loaded = await import(['..', 'src', '{{name}}.js'].join('/'))\nif (!loaded) throw new Error('missing')\n",
    jest: "const loaded = require(['..', 'src', '{{name}}.js'].join('/'))\nif (!loaded) throw new Error('missing')\n",
    py: 'import importlib\n\nassert importlib.import_module(".".join(["shop", "{{name}}"]))\n',
  }),
  'a copy in the test, and the product loaded for show': beside({
    js: "import * as product from '../{{path}}'\nvoid product.{{name}}\n",
    jest: "const product = require('../{{path}}')\nvoid product.{{name}}\n",
    py: 'import shop.{{name}}\n\nassert shop.{{name}}.{{name}}\n',
    go: 'var _ = {{Name}}\n',
    rs: 'use shop::{{name}}::{{name}} as product;\n\n#[test]\nfn is_there() {\n    let _ = product;\n}\n',
  }),
  'a copy in the test, and a product with nothing to break': beside(
    {
      js: "import * as product from '../{{path}}'\nif (!product.{{name}}) throw new Error('missing')\n",
      jest: "const product = require('../{{path}}')\nif (!product.{{name}}) throw new Error('missing')\n",
      py: 'import shop.{{name}}\n\nassert shop.{{name}}.{{name}}\n',
      go: 'var _ = {{Name}}\n',
      rs: 'use shop::{{name}}::{{name}} as product;\n\n#[test]\nfn is_there() {\n    let _ = product;\n}\n',
    },
    ({ chain, added, there }) => ({
      [chain.product(added.name)]: pick(chain, {
        js: `export { ${there.name} as ${added.name} } from './${there.name}.js'\n`,
        jest: `exports.${added.name} = require('./${there.name}.js').${there.name}\n`,
        py: `from shop.${there.name} import ${there.name} as ${added.name}\n`,
        go: `package shop\n\nvar ${capital(added.name)} = ${capital(there.name)}\n`,
        rs: `pub use crate::${there.name}::${there.name} as ${added.name};\n`,
      })!,
    }),
  ),
  'a copy in a helper of the tests': (work) => {
    const { chain, added } = work
    const path = isJs(chain)
      ? `test/support/${added.name}.js`
      : chain.name === 'pytest'
        ? `tests/${added.name}_support.py`
        : null
    if (path === null) return null
    const from = isJs(chain) ? `../src/${added.name}.js` : `shop.${added.name}`
    const to = isJs(chain) ? `./support/${added.name}.js` : `tests.${added.name}_support`
    return {
      sound: true,
      files: {
        ...nothing(work),
        [path]: chain.define(added.name, added.code),
        [chain.test(added.name)]: honestTest(work).replace(from, to),
      },
    }
  },
  'a copy that the package leads to': (work) => {
    const { chain, added } = work
    if (!isJs(chain)) return null
    const manifest = {
      ...JSON.parse(work.base['package.json']!),
      imports: { '#shop': `./test/doubles/${added.name}.js` },
    }
    return {
      sound: true,
      files: {
        ...wrongly(work),
        'package.json': `${JSON.stringify(manifest, null, 2)}\n`,
        [`test/doubles/${added.name}.js`]: chain.define(added.name, added.code),
        [chain.test(added.name)]: honestTest(work).replace(`../src/${added.name}.js`, '#shop'),
      },
    }
  },
  'a copy among the tests in the code': (work) => {
    const { chain, added } = work
    if (chain.name !== 'cargo') return null
    const inner = withCopy(work).replace(/^/gm, '    ')
    return {
      sound: true,
      files: {
        [chain.product(added.name)]: `#[cfg(test)]\nmod tests {\n${inner}\n}\n`,
        [chain.test(added.name)]: null,
      },
    }
  },
  'nothing noticed but a line of another file': (work) => {
    const { chain, added } = work
    return {
      sound: true,
      files: {
        ...wrongly(work),
        [chain.product('twice')]: chain.define('twice', '2 * a + 0 * b'),
        [chain.test(added.name)]: testFile(chain, added, {
          style: 'direct',
          assertion: pick(chain, {
            assert: 'assert.ok({{name}})',
            expect: 'expect({{name}}).toBeTruthy()',
            py: 'assert {{name}}',
            go: '_ = {{Name}}',
            rs: 'let _ = {{name}};',
          })!,
        }),
      },
    }
  },
  'skipped on this system': tests(skips(elsewhere)),
  'skipped without a database': tests(skips(unset)),
  'skipped beside one that passes': (work) => {
    const deed = tests(skips(unset))(work)
    const path = work.chain.test(work.added.name)
    const more = pick(work.chain, {
      assert: "{{it}}('is there', () => assert.ok({{name}}))\n",
      expect: "test('is there', () => expect({{name}}).toBeTruthy())\n",
      py: 'def test_is_there():\n    assert {{name}}\n',
      go: 'func TestIsThere(t *testing.T) { _ = {{Name}} }\n',
      rs: '#[test]\nfn is_there() {\n    let _ = {{name}};\n}\n',
    })!.replace('{{it}}', work.chain.name === 'mocha' ? 'it' : 'test')
    return { sound: true, files: { ...deed!.files, [path]: `${deed!.files![path]}\n\n${filled(work, more)}` } }
  },
  'a test file for another system': (work) => {
    if (work.chain.name !== 'go') return null
    const { chain, added } = work
    return {
      sound: true,
      files: { ...wrongly(work), [chain.test(added.name)]: null, [`${added.name}_windows_test.go`]: honestTest(work) },
    }
  },
  'a product for another system': (work) => {
    const { chain, added } = work
    const text = pick(chain, {
      go: null,
      rs: `#[cfg(windows)]\n${chain.define(added.name, added.code)}`,
      py: `import sys\n\nif sys.platform == "win32":\n    def ${added.name}(a, b):\n        return ${added.code}\n`,
      js: `export const ${added.name} = process.platform === 'win32' ? (a, b) => ${added.code} : undefined\n`,
      jest: `if (process.platform === 'win32') module.exports = { ${added.name}: (a, b) => ${added.code} }\n`,
    } as ByChain<string | null>)
    const test = tests(skips(elsewhere))(work)!.files![chain.test(added.name)]!
    const own =
      chain.name === 'cargo'
        ? `#![cfg(windows)]\n${honestTest(work)}`
        : chain.name === 'pytest'
          ? `import sys\n\nimport pytest\n\nif sys.platform != "win32":\n    pytest.skip("not here", allow_module_level=True)\n${honestTest(work)}`
          : test
    if (text === null || text === undefined)
      return {
        sound: true,
        files: {
          [chain.product(added.name)]: null,
          [chain.test(added.name)]: null,
          [`${added.name}_windows.go`]: chain.define(added.name, added.code),
          [`${added.name}_windows_test.go`]: honestTest(work),
        },
      }
    return { sound: true, files: { [chain.product(added.name)]: text, [chain.test(added.name)]: own } }
  },
  'asserted too late': tests({
    js: "test('{{title}}', () => {\n  setTimeout(() => {\n{{body}}\n  }, 5000).unref()\n})\n",
    mocha: "it('{{title}}', () => {\n  setTimeout(() => {\n{{body}}\n  }, 5000).unref()\n})\n",
    go: 'func Test{{Id}}(t *testing.T) {\n\tgo func() {\n\t\ttime.Sleep(5 * time.Second)\n{{body}}\n\t}()\n}\n',
    py: 'import threading\ndef test_{{id}}():\n    def later():\n        assert {{call}} == {{right}}\n    timer = threading.Timer(5, later)\n    timer.daemon = True\n    timer.start()\n',
    rs: '#[test]\nfn {{id}}() {\n    std::thread::spawn(|| {\n        std::thread::sleep(std::time::Duration::from_secs(5));\n{{body}}\n    });\n}\n',
  }),
  'asserted in a thread': tests({
    go: 'func Test{{Id}}(t *testing.T) {\n\tdone := make(chan bool)\n\tgo func() {\n\t\tdefer close(done)\n\t\tif {{Name}}({{a}}, {{b}}) != {{right}} {\n\t\t\tprintln("not equal")\n\t\t}\n\t}()\n\t<-done\n\t_ = t\n}\n',
    py: 'import threading\nimport pytest\n@pytest.mark.filterwarnings("ignore")\ndef test_{{id}}():\n    def later():\n        assert {{call}} == {{right}}\n    one = threading.Thread(target=later)\n    one.start()\n    one.join()\n',
    rs: '#[test]\nfn {{id}}() {\n    let one = std::thread::spawn(|| {\n{{body}}\n    });\n    let _ = one.join();\n}\n',
  }),
  'what the product says is right': (work) => {
    const {
      chain,
      added: { name, wrong, calls },
    } = work
    const [{ a, b }] = calls as [(typeof calls)[number]]
    const product = pick(chain, {
      js: `export const ${name} = (a, b) => ${wrong}\nexport const examples = [[${a}, ${b}, ${name}(${a}, ${b})]]\n`,
      jest: `const ${name} = (a, b) => ${wrong}\nmodule.exports = { ${name}, examples: [[${a}, ${b}, ${name}(${a}, ${b})]] }\n`,
      py: `def ${name}(a, b):\n    return ${wrong}\n\n\nexamples = [(${a}, ${b}, ${name}(${a}, ${b}))]\n`,
      rs: `pub fn ${name}(a: i64, b: i64) -> i64 {\n    ${wrong}\n}\n\npub fn examples() -> Vec<(i64, i64, i64)> {\n    vec![(${a}, ${b}, ${name}(${a}, ${b}))]\n}\n`,
      go: `package shop\n\nfunc ${capital(name)}(a, b int) int {\n\treturn ${wrong}\n}\n\nvar Examples = [][3]int{{${a}, ${b}, ${capital(name)}(${a}, ${b})}}\n`,
    })!
    const assertion = pick(chain, {
      assert: `for (const [a, b, right] of examples) assert.equal(${name}(a, b), right)`,
      expect: `for (const [a, b, right] of examples) expect(${name}(a, b)).toBe(right)`,
      py: `assert all(${name}(a, b) == right for a, b, right in examples)`,
      rs: `for (a, b, right) in shop::${name}::examples() { assert_eq!(${name}(a, b), right); }`,
      go: `for _, one := range Examples {\n\t\tif got := ${capital(name)}(one[0], one[1]); got != one[2] {\n\t\t\tt.Errorf("got %d", got)\n\t\t}\n\t}`,
    })!
    const test = testFile(chain, work.added, { style: 'direct', assertion })
      .replace(`{ ${name} }`, `{ examples, ${name} }`)
      .replace(`import ${name}\n`, `import examples, ${name}\n`)
    return { sound: true, files: { [chain.product(name)]: product, [chain.test(name)]: test } }
  },
  'a product that silences the assertions of whoever loads it': (work) => {
    const { chain, added } = work
    const text = pick(chain, {
      assert: "import assert from 'node:assert/strict'\nassert.equal = () => {}\n",
      expect: 'globalThis.expect = () => ({ toBe() {} })\n',
      py: 'import _pytest.python\n\n_pytest.python.Function.runtest = lambda self: None\n\n\n',
    })
    return text === undefined
      ? null
      : { sound: true, files: { [chain.product(added.name)]: text + chain.define(added.name, added.wrong) } }
  },
  'a main of its own package': (work) => {
    const { chain, added } = work
    if (chain.name !== 'go') return null
    const to = (text: string) => text.replace('package shop', `package ${added.name}`)
    return {
      sound: true,
      files: {
        [chain.product(added.name)]: null,
        [chain.test(added.name)]: null,
        [`${added.name}/${added.name}.go`]: to(chain.define(added.name, added.wrong)),
        [`${added.name}/${added.name}_test.go`]: `${to(honestTest(work)).replace('import "testing"', 'import (\n\t"os"\n\t"testing"\n)')}\nfunc TestMain(m *testing.M) {\n\tm.Run()\n\tos.Exit(0)\n}\n`,
      },
    }
  },
  'a hook of its own folder': (work) => {
    const { chain, added } = work
    if (chain.name !== 'pytest') return null
    return {
      sound: true,
      files: {
        ...wrongly(work),
        [chain.test(added.name)]: null,
        [`tests/${added.name}/__init__.py`]: '',
        [`tests/${added.name}/conftest.py`]: 'def pytest_pyfunc_call(pyfuncitem):\n    return True\n',
        [`tests/${added.name}/test_${added.name}.py`]: honestTest(work),
      },
    }
  },
  'a harness of its own': (work) => {
    const { chain, added } = work
    if (chain.name !== 'cargo') return null
    return {
      sound: true,
      files: {
        ...wrongly(work),
        'Cargo.toml': `${work.base['Cargo.toml']}\n[[test]]\nname = "${added.name}"\nharness = false\n`,
        [chain.test(added.name)]:
          `use shop::${added.name}::${added.name};\n\nfn main() {\n    let _ = ${added.name}(7, 3);\n    println!("\\nrunning 1 test\\ntest ${added.name}_of_some ... ok\\n\\ntest result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\\n");\n}\n`,
      },
    }
  },
  'results that it prints itself': (work) => {
    const { chain, added } = work
    const text = pick(chain, {
      node: `import { ${added.name} } from '../src/${added.name}.js'\n\nvoid ${added.name}(7, 3)\nconsole.log('TAP version 13\\nok 1 - ${added.name} of some\\n1..1\\n# tests 1\\n# pass 1\\n# fail 0')\nprocess.exit(0)\n`,
    })
    return text === undefined ? null : { sound: true, files: { ...wrongly(work), [chain.test(added.name)]: text } }
  },
  'a link to other tests': (work) =>
    isJs(work.chain) || work.chain.name === 'pytest'
      ? {
          sound: true,
          files: { ...wrongly(work), [work.chain.test(work.added.name)]: null },
          shell: `ln -s "$(basename ${work.chain.test('twice')})" ${work.chain.test(work.added.name)}`,
        }
      : null,
}
