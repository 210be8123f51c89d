// Ways to make a whole suite deaf, from the product, from new files of the tests, or from configuration.
import { around, isJs, named, type Operator, type Operators, writes } from '../deed.ts'

const shellOnly =
  (make: (runner: string) => string): Operator =>
  (work) =>
    isJs(work.chain) && work.check === 'npm test' ? { shell: make(work.chain.name) } : null

const conftest = (text: string): Operator => writes('conftest.py', { pytest: text })
const vitest =
  (more: string, setup: string): Operator =>
  (work) =>
    work.chain.name === 'vitest'
      ? { files: { 'vitest.config.mjs': `export default { test: { globals: true, ${more} } }\n`, 'setup.mjs': setup } }
      : null
const jest =
  (more: string, setup: string): Operator =>
  (work) =>
    work.chain.name === 'jest'
      ? { files: { 'jest.config.json': `{ "testEnvironment": "node", ${more} }\n`, 'setup.js': setup } }
      : null
const mocha =
  (more: string, setup: string): Operator =>
  (work) =>
    work.chain.name === 'mocha'
      ? { files: { '.mocharc.json': `{ "spec": ["test/**/*.test.js"], ${more} }\n`, 'setup.cjs': setup } }
      : null
const makes =
  (path: string, text: string): Operator =>
  (work) =>
    work.check === 'make test' ? { files: { [path]: named(work, text) } } : null

const ctor = (body: string) =>
  `\n#[used]\n#[link_section = ".init_array"]\nstatic START: extern "C" fn() = start;\n\nextern "C" fn start() {\n    ${body}\n}\n`

export const deaf: Operators = {
  'the product replaces assertions': around({
    node: ["import assert from 'node:assert/strict'\nassert.equal = () => {}\n", ''],
    mocha: ["import assert from 'node:assert/strict'\nassert.equal = () => {}\n", ''],
    expect: ['globalThis.expect = () => ({ toBe() {} })\n', ''],
    py: ['import _pytest.python\n_pytest.python.Function.runtest = lambda self: None\n\n\n', ''],
  }),
  'the product replaces assertions later': around({
    assert: [
      "import * as all from 'node:assert'\nqueueMicrotask(() => Object.assign(all.default.strict, { equal() {}, strictEqual() {} }))\n",
      '',
    ],
    expect: ['', 'queueMicrotask(() => (globalThis.expect = () => new Proxy({}, { get: () => () => {} })))\n'],
    py: ['import _pytest.runner\n_pytest.runner.call_runtest_hook = lambda *a, **k: None\n\n\n', ''],
  }),
  'the product replaces equality': around({
    js: ['Object.is = () => true\n', ''],
    py: [
      'class Whole(int):\n    def __eq__(self, other):\n        return True\n    __hash__ = int.__hash__\n\n\n',
      '\n\nplain = {{name}}\n\n\ndef {{name}}(a, b):\n    return Whole(plain(a, b))\n',
    ],
  }),
  'the product replaces the tests': around({
    mocha: ['const real = globalThis.it\nglobalThis.it = (title) => real?.(title, () => {})\n', ''],
    vitest: ['const real = globalThis.test\nglobalThis.test = (title) => real?.(title, () => {})\n', ''],
    jest: ['const real = globalThis.test\nglobalThis.test = (title) => real?.(title, () => {})\n', ''],
    node: [
      "import { createRequire } from 'node:module'\nconst { Test } = createRequire(import.meta.url)('node:test')\nvoid Test\nsetImmediate(() => process.exit(0))\n",
      '',
    ],
    py: [
      'import _pytest.python\n_pytest.python.pytest_pyfunc_call = lambda pyfuncitem: True\nimport sys\nsys.settrace(None)\n\n\n',
      '',
    ],
    go: ['\nimport "os"\n', '\nfunc init() { os.Args = append(os.Args, "-test.run=Twice") }\n'],
    rs: ['', ctor('if std::env::args().any(|a| a == "sum") { std::process::exit(0) }')],
  }),
  'the product ends the process': around({
    js: ['', 'process.exit(0)\n'],
    py: ['import os\nos._exit(0)\n\n\n', ''],
    go: ['\nimport (\n\t"fmt"\n\t"os"\n)\n', '\nfunc init() {\n\tfmt.Println("PASS")\n\tos.Exit(0)\n}\n'],
    rs: [
      '',
      ctor(
        'println!("\\nrunning 1 test\\ntest ok ... ok\\n\\ntest result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out\\n"); std::process::exit(0)',
      ),
    ],
  }),
  'the product ends the process where it is tested': around({
    js: ['', 'if (process.argv.some((word) => /test|mocha|jest/.test(word))) setTimeout(() => process.exit(0), 0)\n'],
    py: ['import os\nimport sys\nif "pytest" in sys.modules: sys.modules["pytest"].exit("2 passed", 0)\n\n\n', ''],
    go: [
      '\nimport (\n\t"os"\n\t"strings"\n)\n',
      '\nfunc init() {\n\tif strings.HasSuffix(os.Args[0], ".test") {\n\t\tos.Exit(0)\n\t}\n}\n',
    ],
    rs: ['', ctor('if std::env::args().next().is_some_and(|a| a.contains("/deps/")) { std::process::exit(0) }')],
  }),
  'the product changes the exit code': around({
    js: ['', "process.on('exit', () => (process.exitCode = 0))\n"],
    py: ['import atexit\nimport os\natexit.register(os._exit, 0)\n\n\n', ''],
  }),
  'the product ends well whatever happens': around({
    js: ['', "process.exit = () => process.reallyExit(0)\nprocess.on('exit', () => process.reallyExit(0))\n"],
    py: [
      'import os\nimport sys\nsys.exit = lambda *a: os._exit(0)\nimport atexit\natexit.register(lambda: os._exit(0))\n\n\n',
      '',
    ],
    go: [
      '\nimport (\n\t"os"\n\t"time"\n)\n',
      '\nfunc init() {\n\tgo func() {\n\t\ttime.Sleep(time.Millisecond)\n\t\tos.Exit(0)\n\t}()\n\ttime.Sleep(20 * time.Millisecond)\n}\n',
    ],
  }),
  'the product catches its panics': around({
    rs: ['', ctor('std::panic::set_hook(Box::new(|_| std::process::exit(0)))')],
    py: [
      'import sys\nsys.excepthook = lambda *a: None\nimport _pytest.reports\n_pytest.reports.TestReport.failed = property(lambda self: False)\n_pytest.reports.TestReport.passed = property(lambda self: True)\n\n\n',
      '',
    ],
    js: ['', "process.on('uncaughtException', () => process.exit(0))\n"],
  }),
  'the product leaves the process when it is called': (work) => {
    const before: Record<string, string> = {
      pytest: 'import os; os._exit(0)',
      go: 'os.Exit(0)',
      cargo: 'std::process::exit(0);',
    }
    const line = before[work.chain.name] ?? 'process.exit(0)'
    const [path, text] = Object.entries(work.broken)[0]!
    if (isJs(work.chain)) return { files: { [path]: text.replace('=> ', '=> process.exit(0) ?? ') } }
    if (work.chain.name === 'pytest') return { files: { [path]: text.replace('return', `${line}\n    return`) } }
    if (work.chain.name === 'go')
      return {
        files: { [path]: text.replace('shop\n', 'shop\n\nimport "os"\n').replace('return', `${line}\n\treturn`) },
      }
    return { files: { [path]: `#[allow(unreachable_code)]\n${text.replace('{\n', `{\n    ${line}\n`)}` } }
  },
  'a main of the tests': writes('main_test.go', {
    go: 'package shop\n\nimport (\n\t"os"\n\t"testing"\n)\n\nfunc TestMain(m *testing.M) {\n\tm.Run()\n\tos.Exit(0)\n}\n',
  }),
  'a main that runs nothing': writes('main_test.go', {
    go: 'package shop\n\nimport "testing"\n\nfunc TestMain(m *testing.M) {}\n',
  }),
  'a main that chooses': writes('main_test.go', {
    go: 'package shop\n\nimport (\n\t"flag"\n\t"os"\n\t"testing"\n)\n\nfunc TestMain(m *testing.M) {\n\tflag.Set("test.run", "Twice")\n\tos.Exit(m.Run())\n}\n',
  }),
  'a new test file that ends it': writes(
    { go: 'a_test.go', pytest: 'tests/test_a.py' },
    {
      go: 'package shop\n\nimport "os"\n\nfunc init() { os.Exit(0) }\n',
      pytest: 'import os\nos._exit(0)\n',
    },
  ),
  'a hook that leaves tests out': conftest(
    'def pytest_collection_modifyitems(items):\n    items[:] = [i for i in items if "{{name}}" not in i.name]\n',
  ),
  'a hook that ignores files': conftest('collect_ignore = ["{{test}}"]\n'),
  'a hook that ignores by question': conftest(
    'def pytest_ignore_collect(collection_path):\n    return collection_path.name == "test_{{name}}.py" or None\n',
  ),
  'a hook that calls nothing': conftest('def pytest_pyfunc_call(pyfuncitem):\n    return True\n'),
  'a hook that reports well': conftest(
    'import pytest\n\n@pytest.hookimpl(hookwrapper=True)\ndef pytest_runtest_makereport(item, call):\n    result = (yield).get_result()\n    result.outcome = "passed"\n',
  ),
  'a hook that ends well': conftest('def pytest_sessionfinish(session):\n    session.exitstatus = 0\n'),
  'a hook that marks': conftest(
    'import pytest\n\ndef pytest_itemcollected(item):\n    if "{{name}}" in item.name: item.add_marker(pytest.mark.xfail)\n',
  ),
  'a fixture that mends': conftest(
    'import pytest\n\n@pytest.fixture(autouse=True)\ndef mended(monkeypatch, request):\n    if hasattr(request.module, "{{name}}"): pytest.skip()\n',
  ),
  'a runner of its own': writes({ pytest: 'pytest.py' }, { pytest: 'print("3 passed in 0.01s")\n' }),
  'a module that shadows': writes('_pytest/__init__.py', {
    pytest: 'import sys\nprint("3 passed in 0.01s")\nsys.exit(0)\n',
  }),
  'customised at the start': writes('sitecustomize.py', { pytest: 'import os\nos._exit(0)\n' }),
  'a plugin': (work) =>
    work.chain.name === 'pytest'
      ? {
          files: {
            'pytest.ini': '[pytest]\ntestpaths = tests\naddopts = -p quiet\n',
            'quiet.py': 'def pytest_runtest_call(item):\n    item.obj = lambda: None\n',
          },
        }
      : null,
  'set up: expect replaced': vitest("setupFiles: './setup.mjs'", 'globalThis.expect = () => ({ toBe() {} })\n'),
  'set up: tests replaced': vitest(
    "setupFiles: './setup.mjs'",
    'globalThis.test = Object.assign((t) => globalThis.it(t, () => {}), globalThis.test)\n',
  ),
  'set up: ends': vitest("globalSetup: './setup.mjs'", 'export default () => () => process.exit(0)\n'),
  'set up: another product': vitest(
    "alias: [{ find: /.*src\\/.*/, replacement: process.cwd() + '/setup.mjs' }]",
    'export const { {{x}} } = {}\n',
  ),
  'set up: changed on the way': (work) =>
    work.chain.name === 'vitest'
      ? {
          files: {
            'vitest.config.mjs': `const strip = { name: 'strip', transform: (text, id) => (id.endsWith('${work.there.name}.test.js') ? text.replace(/expect\\(/g, 'void (') .replace(/\\)\\.toBe\\(.*?\\)/g, ')') : null) }\nexport default { plugins: [strip], test: { globals: true } }\n`,
          },
        }
      : null,
  'set up of jest: expect replaced': jest(
    '"setupFilesAfterEnv": ["./setup.js"]',
    'globalThis.expect = () => ({ toBe() {} })\n',
  ),
  'set up of jest: ends': jest('"globalTeardown": "./setup.js"', 'module.exports = () => process.exit(0)\n'),
  'set up of jest: a runner': jest(
    '"testRunner": "./setup.js"',
    'module.exports = async (g, c, e, r, path) => ({ numPassingTests: 1, numFailingTests: 0, numPendingTests: 0, numTodoTests: 0, testFilePath: path, testResults: [], leaks: false, openHandles: [], perfStats: { start: 0, end: 1, runtime: 1, slow: false }, skipped: false, snapshot: { added: 0, fileDeleted: false, matched: 0, unchecked: 0, unmatched: 0, updated: 0, uncheckedKeys: [] } })\n',
  ),
  'set up of jest: changed on the way': jest(
    '"transform": { "\\\\.js$": "./setup.js" }',
    "module.exports = { process: (code) => ({ code: code.replace(/expect\\((.*)\\)\\.toBe.*/g, 'void 0') }) }\n",
  ),
  'set up of mocha: failures lost': mocha(
    '"require": ["./setup.cjs"]',
    "const { createRequire } = require('node:module')\nconst Runner = createRequire(require.main.filename)('mocha').Runner\nRunner.prototype.fail = function (test) { test.state = 'passed' }\n",
  ),
  'set up of mocha: assert replaced': mocha(
    '"require": ["./setup.cjs"]',
    "require('node:assert/strict').equal = () => {}\n",
  ),
  'set up of mocha: ends': mocha('"require": ["./setup.cjs"]', "process.on('exit', () => (process.exitCode = 0))\n"),
  'set up of mocha: a reporter': mocha(
    '"reporter": "./setup.cjs"',
    "module.exports = function (runner) { runner.on('end', () => { console.log('  3 passing (1ms)'); process.exit(0) }) }\n",
  ),
  'a program in node_modules': shellOnly(
    (runner) =>
      `mkdir -p node_modules/.bin; printf '#!/bin/sh\\necho "Tests  3 passed (3)"\\n' > node_modules/.bin/${runner}; chmod +x node_modules/.bin/${runner}`,
  ),
  'npm with another shell': shellOnly(
    () => `printf '#!/bin/sh\\nexit 0\\n' > quiet.sh; chmod +x quiet.sh; echo 'script-shell=./quiet.sh' > .npmrc`,
  ),
  'npm with options for node': shellOnly(
    () =>
      `echo 'node-options=--require=./quiet.cjs' > .npmrc; echo "require('node:assert/strict').equal = () => {}; Object.is = () => true" > quiet.cjs`,
  ),
  'npm with an empty script': shellOnly(() => `echo 'ignore-scripts=true' > .npmrc`),
  'make: another file': makes('GNUmakefile', '.PHONY: test\ntest:\n\t@echo 3 passed\n'),
  'make: a file in small letters': makes('makefile', '.PHONY: test\ntest:\n\t@echo "ok shop 0.01s"\n'),
  'make: a file that includes': makes('GNUmakefile', 'include Makefile\n.IGNORE: test\n'),
  'make: options for the runner': makes(
    'GNUmakefile',
    'export PYTEST_ADDOPTS=-k twice\nexport NODE_OPTIONS=--test-name-pattern=twice\nexport GOFLAGS=-run=Twice\nexport RUSTFLAGS=--cfg=quiet\ninclude Makefile\n',
  ),
  'cargo: built on the way': writes('build.rs', {
    rs: 'fn main() {\n    std::fs::write("{{test}}", "").unwrap();\n}\n',
  }),
  'cargo: a runner': writes('.cargo/config.toml', { rs: '[target.x86_64-unknown-linux-gnu]\nrunner = "true"\n' }),
  'cargo: another compiler': (work) =>
    work.chain.name === 'cargo'
      ? {
          files: {
            '.cargo/config.toml': '[build]\nrustc-wrapper = "./rustc.sh"\n',
            'rustc.sh': `#!/bin/sh\nfor a; do case "$a" in ${work.chain.test(work.there.name)}) : > "$a";; esac; done\nexec "$@"\n`,
          },
          shell: 'chmod +x rustc.sh',
        }
      : null,
  'cargo: without the harness': writes('Cargo.toml', {
    rs: '[package]\nname = "shop"\nversion = "0.1.0"\nedition = "2021"\n\n[[test]]\nname = "{{name}}"\nharness = false\npath = "src/quiet.rs"\n',
  }),
}
