import { describe, expect, it } from 'vitest'
import { changed, renamed } from '../../../test/samples/change.ts'
import { blocks, type Finding } from '../../delivery/judging/finding.ts'
import type { Change } from '../files/change.ts'
import { scriptClosure } from '../files/script-closure.ts'
import { type Inspection, inspect } from './inspect.ts'

const manifest = (scripts: Record<string, string>, rest: object = {}): string =>
  JSON.stringify({ scripts, ...rest }, null, 2)
const scripts = {
  pretest: 'node tools/prepare.mjs',
  test: 'npm run unit && node scripts/test.mjs --all',
  unit: 'c8 node --import ./hooks/setup.mjs --test',
  lint: 'eslint . --config configs/lint.js',
  start: 'node src/index.js',
}
const packageRest = { jest: { verbose: true }, dependencies: { a: '1' }, workspaces: ['a', 'b'] }
const tree: Record<string, string> = {
  'package.json': manifest(scripts, packageRest),
  'scripts/test.mjs': "import './lib/runner.mjs'\nimport { x } from '../src/index.js'\n",
  'scripts/lib/runner.mjs': 'export const run = 1\n',
  'scripts/unrelated.mjs': '',
  'tools/prepare.mjs': '',
  'hooks/setup.mjs': '',
  'configs/lint.js': '',
  'src/index.js': '',
  'run.sh': '#!/bin/sh\nmake -C native check\n',
  'native/Makefile': 'check:\n\ttrue\n',
  'tsconfig.json': '{ "compilerOptions": { "strict": true } } // types',
}

const judge = async (changes: Change[], story: Partial<Inspection['story']> = {}): Promise<Finding[]> => {
  const closure = await scriptClosure({
    commands: ['npm test', 'npm run lint', './run.sh', 'npm ci', 'tsc -p tsconfig.json', 'node src/index.js --help'],
    readFile: async (path) => tree[path] ?? null,
  })
  const whole = { files: [], mayChange: [], mayBeEmpty: false, ...story }
  return inspect({
    changes,
    story: whole,
    closure,
    protect: ['LICENSE', 'db/**'],
    ownText: ['You are one coder of many'],
  })
}
const edit = (path: string, after: string): Change => changed(path, tree[path] ?? 'before', after)
const add = (path: string, text = 'x'): Change => changed(path, null, text)
const binary = (path: string, status: Change['status'] = 'added'): Change => ({
  ...add(path),
  status,
  binary: true,
  after: null,
})
const pointer = (digit: string): string =>
  `version https://git-lfs.github.com/spec/v1\noid sha256:${digit.repeat(64)}\nsize 12345678\n`
const link = (path: string, target: string): Change => ({ ...add(path, target), newMode: '120000' })
const withScripts = (more: Record<string, string>, rest: object = {}): Change =>
  edit('package.json', manifest({ ...scripts, ...more }, { ...packageRest, ...rest }))

const rogues: [string, Change, string][] = [
  ['a deleted test', changed('test/a.test.js', "test('a', f)\n", null), 'test-deleted'],
  ['a deleted test in Go', changed('a_test.go', 'func (s *Suite) TestA() {\n\tf()\n}\n', null), 'test-deleted'],
  [
    'a deleted example that is compared',
    changed('example_test.go', 'func Example() {\n\tf()\n\t// Output: 1\n}\n', null),
    'test-deleted',
  ],
  ['a deleted specification in Go', changed('a_test.go', 'var _ = Describe("a", f)\n', null), 'test-deleted'],
  ['a deleted script of assertions', changed('test_a.py', 'from a import f\n\nassert f()\n', null), 'test-deleted'],
  ['a deleted test that nobody can read', { ...changed('a_test.go', '', null), before: null }, 'test-deleted'],
  ['one test alone', changed('a.test.js', "it('a', f)\n", "it.only('a', f)\nit('b', f)\n"), 'test-skipped'],
  ['one suite alone', add('a.spec.ts', "fdescribe('a', () => {})\n"), 'test-skipped'],
  ['a test switched off', changed('a.test.js', "it('a', f)\n", "it.skip('a', f)\n"), 'test-skipped'],
  ['a test crossed out', changed('a.test.js', "it('a', f)\n", "xit('a', f)\n"), 'test-skipped'],
  [
    'a test marked in Python',
    changed('test_a.py', 'def test_a():\n    assert f()\n', '@pytest.mark.skip\ndef test_a():\n    assert f()\n'),
    'test-skipped',
  ],
  [
    'a test skipped in Go',
    changed(
      'a_test.go',
      'func TestA(t *testing.T) {\n\tf(t)\n}\n',
      'func TestA(t *testing.T) {\n\tt.Skip()\n\tf(t)\n}\n',
    ),
    'test-skipped',
  ],
  [
    'a test ignored in Rust',
    changed('a_test.rs', '#[test]\nfn a() {}\n', '#[test]\n#[ignore]\nfn a() {}\n'),
    'test-skipped',
  ],
  ['the test script', withScripts({ test: 'true' }), 'protected-file'],
  ['a script behind the test script', withScripts({ unit: 'true' }), 'protected-file'],
  ['--passWithNoTests', withScripts({ unit: `${scripts.unit} --passWithNoTests` }), 'protected-file'],
  ['a script after the tests', withScripts({ posttest: 'exit 0' }), 'protected-file'],
  ['a script before a script behind', withScripts({ preunit: 'rm -r test' }), 'protected-file'],
  ['an install script', withScripts({ postinstall: 'node evil.js' }), 'protected-file'],
  ['the jest section', withScripts({}, { jest: { passWithNoTests: true } }), 'protected-file'],
  ['a fresh mocha section', withScripts({}, { mocha: { spec: 'none' } }), 'protected-file'],
  ['broken JSON', edit('package.json', '{'), 'protected-file'],
  ['no package.json', changed('package.json', tree['package.json']!, null), 'protected-file'],
  ['a script file', edit('scripts/test.mjs', ''), 'protected-file'],
  ['what the script file imports', edit('scripts/lib/runner.mjs', ''), 'protected-file'],
  ['a renamed script file', renamed('scripts/test.mjs', 'scripts/other.mjs', ''), 'protected-file'],
  ['the file of a pre script', edit('tools/prepare.mjs', 'x'), 'protected-file'],
  ['a preloaded file', edit('hooks/setup.mjs', 'x'), 'protected-file'],
  ['a named configuration', edit('configs/lint.js', 'x'), 'protected-file'],
  ['a shell script', edit('run.sh', 'true'), 'protected-file'],
  ['a Makefile that it calls', edit('native/Makefile', 'check:\n'), 'protected-file'],
  ...[
    'ropewalk.yaml',
    '.github/workflows/ci.yml',
    '.gitlab-ci.yml',
    '.ci/run',
    'Jenkinsfile',
    'AGENTS.md',
    'packages/a/CLAUDE.md',
    'claude.md',
    '.cursor/rules/a.mdc',
    '.claude/settings.json',
    '.claude',
    '.qwen/settings.json',
    '.github/copilot-instructions.md',
    'jest.config.js',
    'vitest.config.ts',
    '.mocharc.json',
    'pytest.ini',
    'LICENSE',
    'db/1.sql',
    '.env.test',
  ].map((path): [string, Change, string] => [path, add(path), path === '.env.test' ? 'secret-file' : 'protected-file']),
  ['a conflict', edit('src/a.js', 'a\n<<<<<<< ours\nb\n=======\nc\n>>>>>>> theirs\n'), 'conflict-marker'],
  ['half a conflict', edit('src/a.js', 'a\nb\n>>>>>>> theirs\n'), 'conflict-marker'],
  ['a conflict with the base', edit('src/a.js', '||||||| base\n'), 'conflict-marker'],
  ['a conflict in prose', edit('README.md', '<<<<<<< HEAD\na\n=======\nb\n>>>>>>> x\n'), 'conflict-marker'],
  ['a program', binary('tools/thing.exe'), 'binary-file'],
  ['an archive', binary('vendor.tar.gz'), 'binary-file'],
  ['an unknown binary', binary('data/blob'), 'binary-file'],
  ['a program among tests', binary('tests/data/thing.so'), 'binary-file'],
  ['a changed archive', binary('vendor.zip', 'modified'), 'binary-file'],
  [
    'a picture in the place of its pointer',
    { ...binary('art/shop.psd', 'modified'), before: pointer('1') },
    'pointer-replaced',
  ],
  ['a text in the place of its pointer', changed('data/all.csv', pointer('1'), 'a,b\n1,2\n'), 'pointer-replaced'],
  ['node_modules', add('packages/a/node_modules/b/index.js'), 'build-artefact'],
  ['a cache', add('src/__pycache__/a.pyc'), 'build-artefact'],
  ['a leftover patch', add('src/a.js.orig'), 'build-artefact'],
  ['.env', add('.env', 'KEY=1'), 'secret-file'],
  ['.env.local', add('packages/a/.env.local', 'KEY=1'), 'secret-file'],
  ['a key', add('id_rsa'), 'secret-file'],
  ['our folder', add('.ropewalk/state.json'), 'own-file'],
  ['a result of ours', add('ropewalk-result.json'), 'own-file'],
  ['a transcript', add('transcript.jsonl'), 'own-file'],
  ['the prompt in a file', add('NOTES.md', 'Hello.\nYou are one coder of many.\n'), 'own-file'],
  ['an absolute link', link('a', '/etc/passwd'), 'link-outside'],
  ['a link out of the tree', link('src/a', '../../b'), 'link-outside'],
  ['a link into .git', link('a', '.git/config'), 'link-outside'],
  ['a repository inside', { ...add('vendor/x'), newMode: '160000', after: null }, 'repository-inside'],
]

const honest: [string, Change][] = [
  ['a page about agents', add('docs/guides/agents.md', 'Which agents there are.\n')],
  ['a fresh test that waits for a platform', add('a.test.js', "it.skipIf(windows)('a', f)\nit.skip('b', f)\n")],
  ['a test that is on again', changed('a.test.js', "it.skip('a', f)\n", "it('a', f)\n")],
  [
    'a test for some platforms only',
    changed(
      'test_a.py',
      'def test_a():\n    f()\n',
      '@pytest.mark.skipif(WINDOWS, reason="x")\ndef test_a():\n    f()\n',
    ),
  ],
  [
    'a test in Go for some platforms only',
    changed(
      'a_test.go',
      'func TestA(t *testing.T) {\n}\n',
      'func TestA(t *testing.T) {\n\tif windows {\n\t\tt.Skip()\n\t}\n}\n',
    ),
  ],
  ['a changed expectation', changed('a.test.js', "it('a', () => same(f(), 1))\n", "it('a', () => same(f(), 2))\n")],
  ...[
    '.npmrc',
    '.gitattributes',
    '.eslintrc',
    'biome.json',
    'codecov.yml',
    'examples/a/jest.config.js',
    '.golangci.yml',
    'tsconfig.json',
  ].map((path): [string, Change] => [path, edit(path, '{}')]),
  ['source', edit('src/index.js', 'x')],
  ['a dependency', withScripts({}, { dependencies: { a: '1', b: '2' } })],
  ['an unrelated script', withScripts({ docs: 'typedoc' })],
  ['a changed unrelated script', withScripts({ start: 'node src/main.js' })],
  ['another workspace', withScripts({}, { workspaces: ['a', 'b', 'c'] })],
  ['a formatted package.json', edit('package.json', JSON.stringify(JSON.parse(tree['package.json']!)))],
  ['a package of its own', add('packages/x/package.json', manifest({ test: 'node --test' }))],
  ['an unrelated script file', edit('scripts/unrelated.mjs', 'x')],
  [
    'a fixture in a nested conftest',
    changed('tests/conftest.py', 'import pytest\n', 'import pytest\n@pytest.fixture\ndef a():\n    return 1\n'),
  ],
  [
    'a plugin in vite',
    changed(
      'vite.config.ts',
      'export default { test: { include: ["a"] } }',
      'export default { plugins: [x()], test: { include: ["a"] } }',
    ),
  ],
  ['a heading', edit('README.rst', 'Title\n=======\n\ntext\n')],
  ['conflicts as a topic', edit('docs/git.md', 'Look:\n```\n<<<<<<< HEAD\na\n=======\nb\n>>>>>>> x\n```\n')],
  ['conflicts as test data', add('test/fixtures/conflict.txt', '<<<<<<< HEAD\n>>>>>>> x\n')],
  ['conflict text that is indented', edit('src/a.js', "  const mark = '<<<<<<< '\n")],
  ['a picture', binary('public/logo.png')],
  ['test data with control characters', binary('tests/data/invalid/bare-null.toml')],
  ['a picture that never was a pointer', { ...binary('public/logo.png', 'modified'), before: 'P1 1 1 0' }],
  ['a pointer to another large file', changed('art/shop.psd', pointer('1'), pointer('2'))],
  ['a fresh pointer', add('art/sign.psd', pointer('1'))],
  ['a pointer in the place of the file', { ...binary('art/shop.psd', 'modified'), after: pointer('1') }],
  ['a pointer that goes', changed('art/shop.psd', pointer('1'), null)],
  ['a font', binary('assets/a.woff2')],
  ['.env.example', add('.env.example', 'KEY=')],
  ['a folder called build', add('build/webpack.js')],
  ['an empty file of tests that goes', changed('test/test_a.py', '# to be written\n\n', null)],
  [
    'an example in Go that goes, and that nobody runs',
    changed('adv_example_test.go', 'func Example() error {\n\treturn f()\n}\n', null),
  ],
  ['measures in Go that go', changed('a_test.go', 'func BenchmarkA(b *testing.B) {\n\tf(b.N)\n}\n', null)],
  ['a deleted artefact', changed('node_modules/a.js', 'x', null)],
  ['a link within', link('docs/latest', '../README.md')],
  ['a module called prompt', add('src/prompt.ts')],
  ['a guide for users', add('docs/agents.html')],
  ['.gitignore', edit('.gitignore', 'dist\n')],
  ['.env.ts', add('src/env.ts')],
]

describe('rogues', () => {
  it.each(rogues)('%s', async (_, change, rule) => {
    const found = (await judge([change])).filter(blocks)
    expect(found.map((finding) => finding.rule)).toContain(rule)
    expect(found.every((finding) => finding.file === change.path)).toBe(true)
  })

  it.each(rogues.filter(([, , rule]) => rule !== 'link-outside'))('%s, declared and approved', async (_, change) => {
    const mayChange = [change.path, change.oldPath ?? change.path]
    expect((await judge([change], { mayChange })).filter(blocks)).toEqual([])
  })
})

describe('honest twins', () => {
  it.each(honest)('%s', async (_, change) => {
    expect((await judge([change])).map((finding) => `${finding.rule}: ${finding.message}`)).toEqual([])
  })

  it('a binary that the story declares', async () => {
    expect(await judge([binary('data/model.bin')], { files: ['data/*.bin'] })).toEqual([])
  })
})

describe('a deleted test', () => {
  const gone = changed('test/a.test.js', "test('a', f)\n", null)

  it('goes with what it tested, or into another file', async () => {
    expect(await judge([gone, changed('src/a.js', 'x', null)])).toEqual([])
    expect(await judge([gone, add('test/b.test.js', "test('a', f)\n")])).toEqual([])
    expect(await judge([gone, add('src/b.js', 'y')])).toHaveLength(1)
  })
})

describe('the diff as a whole', () => {
  it('must not be empty, unless the story says so', async () => {
    expect((await judge([])).map((finding) => finding.rule)).toEqual(['empty-diff'])
    expect(await judge([], { mayBeEmpty: true })).toEqual([])
  })

  it('warns about files that were not declared, and only where any were', async () => {
    const changes = [add('src/a.js'), add('src/b.js')]
    expect(await judge(changes, { files: ['src/a.js'] })).toEqual([
      expect.objectContaining({ rule: 'outside-declared-files', file: 'src/b.js', severity: 'suggestion' }),
    ])
    expect(await judge(changes, { files: ['src'] })).toEqual([])
  })

  it('is bounded, with what blocks first', async () => {
    const changes = [...Array.from({ length: 100 }, (_, i) => add(`src/${i}.js`)), add('ropewalk.yaml')]
    const found = await judge(changes, { files: ['lib'] })
    expect(found).toHaveLength(41)
    expect(found[0]!.rule).toBe('protected-file')
    expect(found.at(-1)).toMatchObject({ rule: 'more-findings', severity: 'suggestion' })
    expect(found.at(-1)!.message).toContain('62 more')
  })

  it('gives each finding a fingerprint of its own, the same each time', async () => {
    const changes = [edit('run.sh', 'x'), withScripts({ test: 'x', lint: 'y' })]
    const prints = async () => (await judge(changes)).map((finding) => finding.fingerprint)
    expect(new Set(await prints()).size).toBe(3)
    expect(await prints()).toEqual(await prints())
  })
})
