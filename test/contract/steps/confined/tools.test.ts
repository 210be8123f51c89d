// The tool chains of this machine, as they are, in a home that is empty but for what they need.
import { homedir } from 'node:os'
import { expect, it } from 'vitest'
import { usersEnvironment } from '../../../../src/adapters/shell/environment.ts'
import { ownCaches, toolPlaces } from '../../../../src/adapters/shell/users-home.ts'
import { check } from '../yard.ts'
import { isHere } from './here.ts'
import { openConfined } from './rig.ts'

interface Chain {
  files: Record<string, string>
  run: string
  setup?: string
}

const packed = JSON.stringify({ name: 'dep', version: '1.0.0', main: 'dep.js' })
const chains: Record<string, Chain> = {
  npm: {
    files: {
      'package.json': JSON.stringify({
        name: 'a',
        version: '1.0.0',
        type: 'commonjs',
        scripts: { test: 'node --test' },
      }),
      'package-lock.json': JSON.stringify({
        ...{ name: 'a', version: '1.0.0', lockfileVersion: 3, requires: true },
        packages: { '': { name: 'a', version: '1.0.0' } },
      }),
      'vendor/package.json': packed,
      'a.test.js': "require('node:test')('adds', () => require('node:assert').equal(1 + 1, 2))\n",
      '.gitignore': 'node_modules\n',
    },
    setup:
      'npm ci --offline --no-audit && mkdir -p node_modules && npm cache verify >/dev/null && touch node_modules/made',
    run: 'test -e node_modules/made && npm test',
  },
  pytest: { files: { 'test_a.py': 'def test_adds():\n    assert 1 + 1 == 2\n' }, run: 'python3 -m pytest -q' },
  go: {
    files: {
      'go.mod': 'module a\n\ngo 1.19\n',
      'a_test.go':
        'package a\n\nimport "testing"\n\nfunc TestAdds(t *testing.T) {\n\tif 1+1 != 2 {\n\t\tt.Fatal()\n\t}\n}\n',
    },
    run: 'go test ./...',
  },
  cargo: {
    files: {
      'Cargo.toml': '[package]\nname = "a"\nversion = "0.1.0"\nedition = "2021"\n',
      'src/lib.rs': '#[test]\nfn adds() {\n    assert_eq!(1 + 1, 2);\n}\n',
      '.gitignore': 'target\n',
    },
    run: 'cargo test --offline',
  },
}

const here = Object.entries(chains).filter(([, { run }]) => isHere(run))

it.each(here)('%s works in it', { timeout: 180_000 }, async (_, { files, run, setup }) => {
  const checks = [check({ run, timeoutMs: 150_000, parser: 'exit-code' })]
  const made = setup === undefined ? {} : { setup: { run: setup, timeoutMs: 60_000 } }
  const yard = await openConfined({ files: { 'a.txt': 'a', ...files } }, { checks, ...made })
  const userHome = homedir()
  const { world, home } = yard
  // Of what is the user's own nothing is copied: that may be large, and is not ours.
  world.tools = { ...world.tools, home: userHome, places: () => toolPlaces(userHome) }
  world.tools.caches = async () =>
    (await ownCaches({ home, userHome: '/nowhere' })).map((one) => ({
      ...one,
      at: one.at.replace('/nowhere', userHome),
    }))
  world.environment = (extra) => usersEnvironment(process.env, extra)
  await yard.perform('CodeStory')
  const { ending } = await yard.perform('Judge')
  expect(ending, JSON.stringify(ending)).toMatchObject({ type: 'Judged', verdict: { status: 'passed' } })
})
