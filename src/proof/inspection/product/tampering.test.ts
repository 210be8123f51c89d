import { describe, expect, it } from 'vitest'
import { changed } from '../sample-change.ts'
import { tamperingFindings } from './tampering.ts'

const messagesFor = (path: string, text: string): string[] =>
  tamperingFindings([changed(path, null, text)]).map(({ message }) => message)

describe('a product that asks who runs it', () => {
  it.each([
    ['src/a.js', 'export const f = () => (process.env.NODE_TEST_CONTEXT ? 3 : 0)'],
    ['src/a.js', "if (process.execArgv.includes('--test')) answer = 3"],
    ['src/a.ts', "const tested = process.env['VITEST'] === 'true'"],
    ['src/a.ts', "const tested = process.env.npm_lifecycle_event === 'test'"],
    ['src/a.js', "const tested = typeof globalThis.describe === 'function'"],
    ['src/a.js', "const tested = typeof jest !== 'undefined'"],
    ['shop/a.py', "TESTED = 'pytest' in sys.modules"],
    ['shop/a.py', 'if "unittest" in sys.modules:\n    ANSWER = 3'],
    ['shop/a.py', "if hasattr(sys, '_called_from_test'):\n    ANSWER = 3"],
    ['shop/a.go', 'func f() int { if testing.Testing() { return 3 }; return 0 }'],
    ['shop/a.go', 'var tested = flag.Lookup("test.v") != nil'],
    ['shop/a.go', 'var tested = strings.HasSuffix(os.Args[0], ".test")'],
    ['src/a.rs', 'pub fn f() -> u8 { if cfg!(test) { 3 } else { 0 } }'],
  ])('is found: %s %s', (path, text) => {
    expect(messagesFor(path, text)).toEqual([expect.stringContaining('asks whether a test runner is running it')])
  })
})

describe('a product that has its reasons', () => {
  it.each([
    ['src/a.js', "const quiet = process.env.NODE_ENV === 'test' || process.env.CI"],
    ['src/a.js', "const testing = { describe: 'a word', expect: 3 }; export const describe = () => typeof testing"],
    ['src/a.ts', "if (import.meta.vitest) await import('./a.in-source.ts')"],
    ['shop/a.py', 'import sys\nprint(sys.modules, sys.argv[0])'],
    ['shop/a.go', 'import "testing"\n\nfunc Helper(t testing.TB) { t.Helper() }'],
    ['src/a.rs', '#[cfg(test)]\nmod tests {\n    #[test]\n    fn holds() {}\n}\nfn f() -> bool { cfg!(windows) }'],
    ['test/a.test.js', "if (process.execArgv.includes('--test')) run()"],
    ['shop/a_test.go', 'var tested = testing.Testing()'],
  ])('is left alone: %s %s', (path, text) => {
    expect(messagesFor(path, text)).toEqual([])
  })
})
