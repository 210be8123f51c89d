// Packages that are not at the root of the repository, and repositories of another language.
import type { Case } from '../../case.ts'

const test = (name: string, path: string) => `import assert from 'node:assert/strict'
import test from 'node:test'
import { ${name} } from '../${path}'

test('${name} of web', () => {
  assert.equal(${name}(4), 16)
})
`
const manifest = (name: string) => `${JSON.stringify({ name, type: 'module', scripts: { test: 'node --test' } })}\n`

/** Two packages below a root that is none. */
const packages: Case['files'] = {
  'package.json': null,
  'src/sum.js': null,
  'test/sum.test.js': null,
  'packages/web/package.json': manifest('web'),
  'packages/web/src/square.js': 'export const square = (a) => a * a\n',
  'packages/web/test/square.test.js': test('square', 'src/square.js'),
  'packages/api/package.json': manifest('api'),
  'packages/api/src/fourth.js': `import { square } from '../../web/src/square.js'\nexport const fourth = (a) => square(square(a))\n`,
  'packages/api/test/fourth.test.js': test('fourth', 'src/fourth.js')
    .replaceAll('of web', 'of api')
    .replace('16', '256'),
}

const cube = `cd packages/web; echo 'export const cube = (a) => a * a * a' > src/cube.js
sed 's/square/cube/g; s/16/64/' test/square.test.js > test/cube.test.js`

const one = (code: string, name: string, more: Partial<Case>): Case => ({
  code,
  name,
  expect: 'passes',
  files: packages,
  agent: cube,
  settings: { check: 'cd packages/web && npm test' },
  ...more,
})
const each = {
  checks: { test: { run: 'npm test', packages: ['packages/*'] } },
  check: 'npm --prefix packages/web test',
}

export const packageFolders: Case[] = [
  one('FD10', 'the package is below the root, and the work is right', { startedIn: 'packages/web' }),
  one('FD10', 'the package is below the root, and the work is wrong', {
    expect: 'caught',
    agent: `${cube}; sed -i 's/a \\* a \\* a/a * a/' src/cube.js`,
    names: /packages\/web\/test\/cube\.test\.js|cube of web/,
  }),
  one('FD10', 'the package is below the root, and its test script becomes true', {
    expect: 'caught',
    agent: `${cube}; sed -i 's/a \\* a \\* a/a * a/' src/cube.js; sed -i 's/node --test/true/' package.json`,
    names: /packages\/web\/package\.json/,
  }),
  one('FD10', 'a change of one package breaks another', {
    expect: 'caught',
    settings: each,
    agent: `${cube}; sed -i 's/(a) => a \\* a/(a) => (a > 9 ? 0 : a * a)/' src/square.js`,
    names: /fourth of api/,
  }),
  one('FD10', 'a change of one package, and all are well', { settings: each }),
  one('FD12', 'no check is named, in a repository of another language', {
    expect: 'caught',
    settings: { check: null },
    files: { ...packages, 'pyproject.toml': '[project]\nname = "shop"\n', 'shop/__init__.py': '' },
    names: /checks/,
  }),
]
