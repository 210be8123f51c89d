// Files that runs of the checks leave behind, and files that tests compare with.
import { expect } from 'vitest'
import type { Case } from '../../case.ts'

const remembers = `cat > test/remembers.test.js <<'TEST'
import assert from 'node:assert/strict'
import { existsSync, writeFileSync } from 'node:fs'
import test from 'node:test'

test('is as it was recorded', () => {
  const recorded = existsSync('recorded.txt')
  writeFileSync('recorded.txt', 'x')
  assert.ok(recorded)
})
TEST`

const snapshot = `import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test from 'node:test'
import { sum } from '../src/sum.js'

test('adds as recorded', () => {
  assert.equal(String(sum(2, 2)), readFileSync('test/__snapshots__/sum.snap', 'utf8').trim())
})
`

const recorded: Partial<Case> = {
  files: { 'test/recorded.test.js': snapshot, 'test/__snapshots__/sum.snap': '4\n', 'test/sum.test.js': null },
}

/** Makes the tree as dirty as it can. */
const untidy = `node --test && mkdir -p coverage test/__snapshots__ && echo x > coverage/lcov.info && echo y > test/__snapshots__/a.snap && echo '// left' >> src/sum.js && rm -rf package.json`
const tidy = `test ! -e coverage && test ! -e test/__snapshots__ && test -e package.json && ! grep -q left src/sum.js`

export const leftovers: Case[] = [
  {
    code: 'FD6',
    name: 'brings a test that passes only on what an earlier run has left behind',
    expect: 'caught',
    agent: `work; ${remembers}`,
    settings: { limits: { flakyReruns: 2 } },
    names: /is as it was recorded/,
  },
  {
    code: 'FD6',
    name: 'records what the broken code gives',
    expect: 'caught',
    ...recorded,
    agent: `work; echo 'export const sum = (a, b) => a - b' > src/sum.js; echo 0 > test/__snapshots__/sum.snap`,
    names: /sum\.snap/,
  },
  {
    code: 'FD6',
    name: 'records something else besides',
    expect: 'passes',
    ...recorded,
    agent: 'work; echo 6 > test/__snapshots__/multiply.snap',
  },
  {
    code: 'FD6',
    name: 'the check leaves snapshots and other things behind, and the next one sees none of them',
    expect: 'passes',
    stories: [{ id: 'multiply' }, { id: 'divide' }],
    settings: {
      checks: { test: { run: untidy }, tidy: { run: tidy, parser: 'exit-code' } },
      limits: { agents: 1 },
    },
    agent: `if [ "$ROPEWALK_STORY" = multiply ]; then work; else echo 'export const divide = (a, b) => a / b' > src/divide.js; fi`,
    after: ({ git, base }) =>
      expect(git('diff', '--name-only', base, 'main').split('\n')).toEqual([
        'src/divide.js',
        'src/multiply.js',
        'test/multiply.test.js',
      ]),
  },
]
