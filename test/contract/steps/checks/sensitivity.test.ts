import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isHere } from '../confined/here.ts'
import { judged, verdictOf, wordsOf } from '../verdicts.ts'
import { check, type Given, openYard } from '../yard.ts'

type Files = Record<string, string>

interface World {
  files: Files
  run: string
}

/** Those that this machine has the tools for. */
const hereOf = <Case extends [string, World, ...unknown[]]>(cases: Case[]): Case[] =>
  cases.filter(([, { run }]) => isHere(run))

const nodeTest = (module: string, body: string) =>
  `import test from 'node:test'\nimport assert from 'node:assert'\nimport * as m from '${module}'\ntest('holds', () => {\n  ${body}\n})\n`

const node: World = {
  files: {
    'package.json': JSON.stringify({ type: 'module', scripts: { test: 'node --import ./setup.mjs --test' } }),
    'setup.mjs': '// nothing yet\n',
    'src/sum.mjs': 'export const sum = (a, b) => a + b\nexport const half = (n) => n / 2\n',
    'src/tax.mjs': 'export const tax = (n) => n * 5\n',
    'test/sum.test.mjs': nodeTest('../src/sum.mjs', 'assert.equal(m.sum(1, 2), 3)\n  assert.equal(m.half(4), 2)'),
    'test/tax.test.mjs': nodeTest('../src/tax.mjs', 'assert.equal(m.tax(2), 10)'),
  },
  run: 'npm test',
}

const plain: World = {
  files: {
    'src/sum.mjs': 'export const sum = (a, b) => a + b\n',
    'test/sum.test.mjs':
      "import assert from 'node:assert'\nimport { sum } from '../src/sum.mjs'\nassert.equal(sum(1, 2), 3)\n",
    'check.sh': 'node test/sum.test.mjs\n',
  },
  run: 'sh check.sh',
}

const python: World = {
  files: {
    'shop/__init__.py': '',
    'shop/cart.py': 'def total(items):\n    return sum(items) + 1\n',
    'tests/test_cart.py': 'from shop.cart import total\n\ndef test_total():\n    assert total([1, 2]) == 4\n',
  },
  run: 'python3 -m pytest -q',
}

const go: World = {
  files: {
    'go.mod': 'module shop\n\ngo 1.19\n',
    'cart.go': 'package shop\n\nfunc Total(a, b int) int {\n\treturn a + b\n}\n',
    'cart_test.go':
      'package shop\n\nimport "testing"\n\nfunc TestTotal(t *testing.T) {\n\tif Total(1, 2) != 3 {\n\t\tt.Fatal("wrong")\n\t}\n}\n',
  },
  run: 'go test ./...',
}

const rust: World = {
  files: {
    'Cargo.toml': '[package]\nname = "shop"\nversion = "0.1.0"\nedition = "2021"\n',
    'Cargo.lock': 'version = 3\n\n[[package]]\nname = "shop"\nversion = "0.1.0"\n',
    'src/lib.rs':
      'pub fn total(a: i64, b: i64) -> i64 {\n    a + b\n}\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn adds() {\n        assert_eq!(super::total(1, 2), 3);\n    }\n}\n',
  },
  run: 'cargo test --offline',
}

const given = ({ files, run }: World, change: Files, more: Partial<Given> = {}): Given => ({
  files,
  stories: [{ id: 'one' }],
  script: [{ do: [{ write: change }] }],
  policy: { judges: ['sensitivity'], checks: [check({ run })] },
  ...more,
})

const deafened = "import assert from 'node:assert'\nassert.equal = () => {}\n"
const sum = node.files['src/sum.mjs']!
const skipAll = 'import pytest\n\ndef pytest_runtest_setup(item):\n    pytest.skip("later")\n'
const testMain =
  'package shop\n\nimport (\n\t"os"\n\t"testing"\n)\n\nfunc TestMain(m *testing.M) {\n\tm.Run()\n\tos.Exit(0)\n}\n'

describe('the sensitivity of a suite', () => {
  it.each<[string, World, Files, string]>(
    hereOf([
      [
        'an assertion library that the product patches',
        node,
        { 'src/sum.mjs': `${deafened}${sum}` },
        'test/sum.test.mjs',
      ],
      [
        'one that a new module patches',
        node,
        { 'src/patch.mjs': deafened, 'src/tax.mjs': `import './patch.mjs'\n${node.files['src/tax.mjs']}` },
        'test/tax.test.mjs',
      ],
      ['one that the set-up patches', node, { 'setup.mjs': deafened }, 'test/'],
      [
        'an exit code that is swallowed',
        plain,
        { 'src/sum.mjs': `process.on('exit', () => process.exit(0))\n${plain.files['src/sum.mjs']}` },
        'the check test',
      ],
      [
        'a script that forgets its exit code',
        plain,
        { 'check.sh': 'node test/sum.test.mjs || true\n' },
        'the check test',
      ],
      ['a conftest that skips', python, { 'conftest.py': skipAll }, 'tests/test_cart.py'],
      [
        'a macro in the place of an assertion',
        rust,
        {
          'src/lib.rs': `macro_rules! assert_eq { ($($t:tt)*) => {{ let _ = ($($t)*); }}; }\n${rust.files['src/lib.rs']}`,
        },
        'the check test',
      ],
      ['a TestMain that always ends well', go, { 'main_test.go': testMain }, 'cart_test.go'],
    ]),
  )('is lost by %s', async (_, world, change, who) => {
    const yard = await openYard(given(world, change))
    const words = wordsOf(await judged(yard))
    expect(words).toContainEqual(
      expect.stringMatching(/^blocking: .* failed before the change when .* was broken on purpose/),
    )
    expect(words.join('\n')).toContain(`blocking: ${who}`)
    expect((await yard.due('CodeStory')).verb).toBe('CodeStory')
  })

  it.each<[string, World, Files]>(
    hereOf([
      ['a feature beside the code', node, { 'src/sum.mjs': `${sum}export const twice = (n) => n * 2\n` }],
      [
        'a new module',
        node,
        {
          'src/new.mjs': 'export const n = 1\n',
          'test/new.test.mjs': nodeTest('../src/new.mjs', 'assert.equal(m.n, 1)'),
        },
      ],
      ['a set-up that does something else', node, { 'setup.mjs': 'globalThis.started = 1\n' }],
      [
        'code that is rewritten with its tests',
        node,
        {
          'src/sum.mjs': 'export const sum = (...all) => all.reduce((a, b) => b + a, 0)\n',
          'test/sum.test.mjs': nodeTest('../src/sum.mjs', 'assert.equal(m.sum(1, 2, 3), 6)'),
        },
      ],
      ['a check by exit code', plain, { 'src/more.mjs': 'export const n = 1\n' }],
      [
        'a fixture in pytest',
        python,
        { 'conftest.py': 'import pytest\n\n@pytest.fixture\ndef one():\n    return 1\n' },
      ],
      ['a function more in Rust', rust, { 'src/more.rs': 'pub fn n() -> i64 { 1 }\n' }],
      ['a TestMain that tells', go, { 'main_test.go': testMain.replace('m.Run()\n\tos.Exit(0)', 'os.Exit(m.Run())') }],
    ]),
  )('is kept by %s', async (_, world, change) => {
    const yard = await openYard(given(world, change))
    expect(wordsOf(await judged(yard))).toEqual([expect.stringMatching(/^note: test still notices /)])
    expect((await yard.due('ComposeLine')).verb).toBe('ComposeLine')
  })

  it.each<[string, World, Files]>([
    ['only documents are changed', node, { 'README.md': '# Sums\n' }],
    [
      'no breakage that was tried is noticed',
      {
        ...node,
        files: {
          'package.json': node.files['package.json']!,
          'setup.mjs': '',
          'src/a.mjs': 'export const a = 1 + 1\n',
        },
      },
      { 'src/a.mjs': 'export const a = 2\n' },
    ],
    [
      'no breakage that was tried is noticed',
      { ...node, files: { ...node.files, 'setup.mjs': 'process.exit(3)\n' } },
      { 'setup.mjs': '' },
    ],
    ['no breakage that was tried is noticed', { ...plain, run: 'false' }, { 'src/b.mjs': '' }],
  ])('cannot be told, and holds nobody up, when %s', async (words, world, change) => {
    const yard = await openYard(given(world, change))
    expect(wordsOf(await judged(yard))).toEqual([expect.stringContaining(`note: ${words}`)])
    expect((await yard.due('ComposeLine')).verb).toBe('ComposeLine')
  })

  it('is not asked of tests that are gone, and is asked of those that are elsewhere', async () => {
    const gone = {
      do: [
        { write: { 'src/tax.mjs': `${node.files['src/tax.mjs']}// \n` } },
        { shell: 'git rm -q test/sum.test.mjs && mkdir unit && git mv test/tax.test.mjs unit/tax.test.mjs' },
      ],
    }
    const yard = await openYard(given(node, {}, { script: [gone] }))
    expect(wordsOf(await judged(yard))).toEqual([expect.stringMatching(/^note: /)])
  })

  // Each letter is a run: the base broken, the base, the commit broken; then the first and the last again, anew.
  it.each(['FPPP', 'FPPFF', 'FPPFPP', 'FPPFPFF'])(
    'is not denied by a test that fails now and then (%s)',
    async (runs) => {
      const counter = join(mkdtempSync(join(tmpdir(), 'ropewalk-flake-')), 'runs')
      const flake = `appendFileSync('${counter}', '.')
  assert.notEqual('${runs}'[readFileSync('${counter}', 'utf8').length - 1], 'F')`
      const files = {
        'package.json': JSON.stringify({ type: 'module', scripts: { test: 'node --test' } }),
        'src/a.mjs': 'export const a = (n) => n + 1\n',
        'test/a.test.mjs': `import { appendFileSync, readFileSync } from 'node:fs'\n${nodeTest('../src/a.mjs', flake)}`,
      }
      const yard = await openYard(given({ files, run: 'npm test' }, { 'src/b.mjs': 'export const b = 1\n' }))
      expect(wordsOf(await judged(yard))).toEqual([expect.stringMatching(/^note: /)])
      expect(readFileSync(counter, 'utf8').length).toBeGreaterThanOrEqual(4)
    },
  )

  it('is asked with runs that are known by their trees, so that what was lost is not run again', async () => {
    const runs = join(mkdtempSync(join(tmpdir(), 'ropewalk-runs-')), 'runs')
    const related = `echo run >> ${runs}; node --test {files}`
    const policy = { judges: ['sensitivity'], checks: [check({ run: 'npm test', related })] }
    const yard = await openYard(given(node, { 'src/more.mjs': 'export const n = 1\n' }, { policy }))
    await yard.perform('CodeStory')
    const first = verdictOf(await yard.perform('Judge', { lose: true }))
    const before = readFileSync(runs, 'utf8')
    expect(verdictOf(await yard.perform('Judge', { try: 2 }))).toEqual(first)
    expect(readFileSync(runs, 'utf8')).toBe(before)
  })
})
