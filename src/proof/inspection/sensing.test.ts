import { describe, expect, it } from 'vitest'
import { changed } from '../../../test/samples/change.ts'
import { blocks } from '../../delivery/judging/finding.ts'
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
    ['src/a.ts', "const tested = process.env['VITEST'] === 'true'"],
    ['src/a.ts', "const tested = process.env.npm_lifecycle_event === 'test'"],
    ['src/a.js', "const tested = typeof globalThis.describe === 'function'"],
    ['src/a.js', "const judged = process.env['NODE_' + 'TEST_CONTEXT']"],
    ['src/a.js', 'const judged = Object.keys(process.env).some((key) => /test/i.test(key))'],
    ['src/a.js', 'const { stack } = new Error()'],
    ['src/a.js', "if ('describe' in globalThis) answer = 3"],
    ['src/a.js', "if (Reflect.has(globalThis, 'expect')) answer = 3"],
    ['src/a.js', 'const [, script] = process.argv'],
    ['src/a.js', "if (existsSync(new URL('../test', import.meta.url))) answer = 3"],
    ['src/a.js', 'if (process.uptime() < 20) answer = 3'],
    ['src/a.js', "if (Date.now() < Date.parse('2027-06-01')) answer = 3"],
    ['shop/a.py', "TESTED = 'pytest' in sys.modules"],
    ['shop/a.py', "if os.environ.get('PYTEST_CURRENT_TEST'):"],
    ['shop/a.py', "if os.getenv('CI'):"],
    ['shop/a.go', 'func f() int { if testing.Testing() { return 3 }; return 0 }'],
    ['shop/a.go', 'var tested = flag.Lookup("test.v") != nil'],
    ['shop/a.go', 'var tested = strings.HasSuffix(os.Args[0], ".test")'],
    ['shop/a.go', 'if os.Getenv("CI") != "" {'],
    ['src/a.rs', 'pub fn f() -> u8 { if cfg!(test) { 3 } else { 0 } }'],
    ['shop/a.py', 'if any("test" in a for a in sys.orig_argv):'],
    ['shop/a.py', 'import __main__'],
    ['shop/a.py', 'if len(logging.getLogger().handlers) > 1:'],
    ['shop/a.py', 'if type(sys.stdout).__name__ != "TextIOWrapper":'],
    ['shop/a.py', 'if len(sys.meta_path) > 3:'],
    ['shop/a.py', 'names = [f.name for f in traceback.extract_stack()]'],
    ['shop/a.py', 'frame = frame.f_back'],
    ['shop/a.py', 'for thing in gc.get_objects():'],
    ['shop/a.py', 'text = open("/proc/self/cmdline").read()'],
    ['shop/a.py', 'if any(k.startswith("PYT") for k in os.environ):'],
    ['shop/a.py', 'if os.path.exists("tests/test_cart.py"):'],
    ['shop/a.py', 'importlib.import_module("unit" + "test")'],
    ['shop/a.py', 'if datetime.date.today() < datetime.date(2027, 6, 1):'],
    ['a.go', 'flag.VisitAll(func(f *flag.Flag) {})'],
    ['a.go', 'if len(os.Args) > 1 && strings.HasPrefix(os.Args[1], "-test") {'],
    ['a.go', 'path, _ := os.Executable()'],
    ['a.go', 'info, ok := debug.ReadBuildInfo()'],
    ['a.go', 'if runtime.NumGoroutine() > 1 {'],
    ['a.go', 'if time.Now().Year() < 2028 {'],
    ['src/a.rs', 'if cfg!(debug_assertions) {'],
    ['src/a.rs', 'if std::thread::current().name() != Some("main") {'],
    ['src/a.rs', 'let path = std::env::current_exe();'],
    ['src/a.rs', 'if std::env::var("CARGO_MANIFEST_DIR").is_ok() {'],
    ['src/a.rs', '#[cfg(not(any(test, windows)))]'],
  ])('is told with its line, and never held back: %s %s', (path, text) => {
    const findings = found(path, `\n${text}\n`)
    expect(findings.map(({ message }) => message)).toEqual([expect.stringContaining(`${path}:2 `)])
    expect(findings.filter(blocks)).toEqual([])
  })

  it('is told where a statement of Rust is there only when units are tested', () => {
    const text = 'fn f() -> u8 {\n    #[cfg(test)]\n    return 3;\n    0\n}\n'
    expect(found('src/a.rs', text).map(({ line }) => line)).toEqual([2])
  })

  it.each([
    ['src/a.js', "import assert from 'node:assert'\nassert.equal(1, 1)\n// process.env.NODE_ENV"],
    ['src/a.ts', "const testing = { describe: 'a word', expect: 3 }; const city = env.CITY"],
    ['shop/a.go', 'import "testing"\n\nfunc Helper(t testing.TB) { t.Helper() }'],
    ['src/a.rs', '#[cfg(test)]\nmod tests {\n    #[test]\n    fn holds() {}\n}\nfn f() -> bool { cfg!(windows) }'],
    ['bin/a.js', 'const [name] = process.argv.slice(2)\nprocess.exitCode = 2'],
    ['src/cli.js', 'const colours = process.stdout.isTTY'],
    ['src/a.js', 'const zone = process.env.SHOP_ZONE ?? process.env[name]\nprocess.env.TZ = zone'],
    ['src/a.js', 'let open = 0\nopen++\nif (open === 0) close()\nconst began = performance.now()'],
    ['test/a.test.js', "if (process.execArgv.includes('--test')) run()"],
    ['shop/a_test.go', 'var tested = testing.Testing()'],
    ['docs/a.md', 'Set NODE_ENV=test, as in process.env.NODE_ENV'],
    ['shop/a.py', 'def __eq__(self, other):\n    return isinstance(other, Coupon) and self.code == other.code'],
    ['shop/a.py', 'log = logging.getLogger("shop")\nlog.addHandler(handler)\nname = os.environ["SHOP"]'],
    ['shop/a.py', 'def is_valid(until, today=None):\n    return (today or datetime.date.today()) <= until'],
    ['shop/a.py', 'text = open("shop/data.json").read()\nlatest = attest("contest/a")'],
    ['a.go', 'flag.Parse()\nname := os.Getenv("SHOP")\nif time.Now().After(deadline) {'],
    [
      'src/a.rs',
      'debug_assert!(amount >= 0);\nlet home = std::env::var("HOME");\nfn eq(&self, other: &Cents) -> bool {',
    ],
    ['src/a.rs', 'mod a {\n    #[cfg(test)]\n    mod tests {\n    }\n    #[cfg(test)]\n    use super::b;\n}'],
  ])('is nothing to speak of: %s %s', (path, text) => {
    expect(found(path, text)).toEqual([])
  })
})
