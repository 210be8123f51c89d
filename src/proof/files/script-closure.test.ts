import { describe, expect, it } from 'vitest'
import { scriptClosure } from './script-closure.ts'

async function closureOf(command: string, tree: Record<string, string>) {
  const closure = await scriptClosure({ commands: [command], readFile: async (path) => tree[path] ?? null })
  const reached = [...closure.scripts].flatMap(([path, names]) =>
    [...names].filter((name) => !/^(?:pre|post)/.test(name)).map((name) => `${path}#${name}`),
  )
  return { files: [...closure.files].sort(), scripts: reached.sort(), anywhere: [...closure.scriptsAnywhere] }
}
const scripts = (all: Record<string, string>): string => JSON.stringify({ scripts: all })

describe('scriptClosure', () => {
  it.each<[string, string, Record<string, string>, string[], string[]]>([
    ['npm test', 'npm test', { 'package.json': scripts({ test: 'node --test' }) }, [], ['package.json#test']],
    ['npm t', 'npm t', {}, [], ['package.json#test']],
    [
      'a chain',
      'npm run a',
      { 'package.json': scripts({ a: 'yarn b', b: 'pnpm c', c: 'sh x.sh' }), 'x.sh': '' },
      ['x.sh'],
      ['package.json#a', 'package.json#b', 'package.json#c'],
    ],
    ['a cycle', 'npm run a', { 'package.json': scripts({ a: 'npm run a' }) }, [], ['package.json#a']],
    [
      'another folder',
      'cd web && npm test',
      { 'web/package.json': scripts({ test: 'node run.mjs' }), 'web/run.mjs': '' },
      ['web/run.mjs'],
      ['web/package.json#test'],
    ],
    ['a prefix', 'npm --prefix web test', {}, [], ['web/package.json#test']],
    ['several at once', 'concurrently "npm:lint" "npm run unit"', {}, [], ['package.json#lint', 'package.json#unit']],
    [
      'by a pattern',
      'run-p lint:*',
      { 'package.json': scripts({ 'lint:a': 'x', 'lint:b': 'y', other: 'z' }) },
      [],
      ['package.json#lint:a', 'package.json#lint:b'],
    ],
    [
      'in a shell',
      "sh -c 'npm run a && ./b.sh'",
      { 'b.sh': 'node tools/c.js', 'tools/c.js': '' },
      ['b.sh', 'tools/c.js'],
      ['package.json#a'],
    ],
    [
      'variables before it',
      'CI=1 NODE_ENV=test ./check',
      { check: '#!/bin/sh\nmake all\n', Makefile: '' },
      ['Makefile', 'check'],
      [],
    ],
    ['make', 'make test', { Makefile: '' }, ['Makefile'], []],
    ['a named makefile', 'make -f ci.mk test', { Makefile: '', 'ci.mk': '' }, ['Makefile', 'ci.mk'], []],
    ['python', 'python3 tools/check.py', { 'tools/check.py': '' }, ['tools/check.py'], []],
    [
      'what a script imports from a folder for scripts, not from the product',
      'node lint.js',
      {
        'lint.js': "import './scripts/limit.js'\nimport './shop/cart.js'",
        'scripts/limit.js': "import '../tools/rules.js'",
        'tools/rules.js': '',
        'shop/cart.js': '',
      },
      ['lint.js', 'scripts/limit.js', 'tools/rules.js'],
      [],
    ],
    ['the product itself', 'node src/cli.js --help', { 'src/cli.js': '' }, [], []],
    ['sources of a build', 'esbuild src/index.ts --bundle', { 'src/index.ts': '' }, [], []],
    ['tests by name', 'node test/a.test.js', { 'test/a.test.js': '' }, [], []],
    ['a script with tests', 'node test/all.js', { 'test/all.js': 'assert.equal(1, f())' }, [], []],
    ['a runner among the tests', 'node test/run.js', { 'test/run.js': "import './a.test.js'" }, ['test/run.js'], []],
    [
      'a reporter',
      'node --test --test-reporter=./tools/report.mjs',
      { 'tools/report.mjs': '' },
      ['tools/report.mjs'],
      [],
    ],
    ['a folder', 'eslint src && mocha test', {}, [], []],
    ['arguments that look like flags of ours', 'true; echo "npm"', {}, [], []],
  ])('%s', async (_, command, tree, files, reached) => {
    const closure = await closureOf(command, tree)
    expect(closure.files).toEqual(files)
    expect(closure.scripts).toEqual(reached)
  })

  it('reaches scripts of packages it cannot name', async () => {
    expect((await closureOf('npm test --workspaces', {})).anywhere).toEqual(['test'])
    expect((await closureOf('turbo run build', { 'turbo.json': '' })).files).toEqual(['turbo.json'])
  })

  it.each([
    'python3 -m unittest discover .',
    'sh .',
    'node ..',
    'node ../run.mjs',
    'cd .. && npm test',
    'node -r ./ x',
  ])('asks for no file that cannot be one of the repository: %s', async (command) => {
    const asked: string[] = []
    const readFile = async (path: string) => {
      asked.push(path)
      return null
    }
    await scriptClosure({ commands: [command], readFile })
    expect(asked.filter((path) => path === '' || path.startsWith('..'))).toEqual([])
  })
})
