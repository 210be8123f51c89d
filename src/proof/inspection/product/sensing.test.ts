import { describe, expect, it } from 'vitest'
import { blocks } from '../../../delivery/judging/finding.ts'
import { changed } from '../sample-change.ts'
import { sensingFindings } from './sensing.ts'

const found = (path: string, text: string) => sensingFindings([changed(path, null, text)])

describe('a product that could tell a test run from any other', () => {
  it.each([
    ['src/a.js', 'export const f = () => (process.env.NODE_TEST_CONTEXT ? 3 : 0)'],
    ['src/a.js', "if (process.execArgv.includes('--test')) answer = 3"],
    ['src/a.js', "const quiet = process.env.NODE_ENV === 'test'"],
    ['src/a.js', 'if (process.env.CI) answer = 3'],
    ['src/a.js', "if (Object.keys(require.cache).some((one) => one.includes('jest'))) answer = 3"],
    ['src/a.js', "if (new Error().stack.includes('mocha')) answer = 3"],
    ['src/a.js', "process.on('exit', () => process.reallyExit(0))"],
    ['src/a.js', 'globalThis.expect = () => fake'],
    ['src/a.js', 'assert.strict.equal = () => {}'],
    ['src/a.ts', "const tested = process.env['VITEST'] === 'true'"],
    ['src/a.ts', "const tested = process.env.npm_lifecycle_event === 'test'"],
    ['src/a.js', "const tested = typeof globalThis.describe === 'function'"],
    ['shop/a.py', "TESTED = 'pytest' in sys.modules"],
    ['shop/a.py', "if os.environ.get('PYTEST_CURRENT_TEST'):"],
    ['shop/a.py', "if os.getenv('CI'):"],
    ['shop/a.py', 'atexit.register(lambda: os._exit(0))'],
    ['shop/a.go', 'func f() int { if testing.Testing() { return 3 }; return 0 }'],
    ['shop/a.go', 'var tested = flag.Lookup("test.v") != nil'],
    ['shop/a.go', 'var tested = strings.HasSuffix(os.Args[0], ".test")'],
    ['shop/a.go', 'if os.Getenv("CI") != "" {'],
    ['src/a.rs', 'pub fn f() -> u8 { if cfg!(test) { 3 } else { 0 } }'],
  ])('is told with its line, and never held back: %s %s', (path, text) => {
    const findings = found(path, `\n${text}\n`)
    expect(findings.map(({ message }) => message)).toEqual([expect.stringContaining(`${path}:2 `)])
    expect(findings.filter(blocks)).toEqual([])
  })

  it.each([
    ['src/a.js', "import assert from 'node:assert'\nassert.equal(1, 1)\n// process.env.NODE_ENV"],
    ['src/a.ts', "const testing = { describe: 'a word', expect: 3 }; const city = env.CITY"],
    ['shop/a.go', 'import "testing"\n\nfunc Helper(t testing.TB) { t.Helper() }'],
    ['src/a.rs', '#[cfg(test)]\nmod tests {\n    #[test]\n    fn holds() {}\n}\nfn f() -> bool { cfg!(windows) }'],
    ['test/a.test.js', "if (process.execArgv.includes('--test')) run()"],
    ['shop/a_test.go', 'var tested = testing.Testing()'],
    ['docs/a.md', 'Set NODE_ENV=test, as in process.env.NODE_ENV'],
  ])('is nothing to speak of: %s %s', (path, text) => {
    expect(found(path, text)).toEqual([])
  })
})
