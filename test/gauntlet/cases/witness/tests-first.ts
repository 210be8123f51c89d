// Tests that come before the code, from somebody else: what can be done to them, and what they see.
import { expect } from 'vitest'
import type { Case, Settings } from '../../case.ts'

const checks = { test: { run: 'node --test', related: 'node --test {files}' } }

/** What each role does; the verifier is content unless it is said. */
const roles = (tester: string, coder: string, verdict = '"verdict": "passed", "findings": []') => `
case "$ROPEWALK_ROLE" in
  test-writer) ${tester};;
  verifier) printf '{ "commit": "%s", %s }' "$ROPEWALK_COMMIT" '${verdict}' > "$ROPEWALK_RESULT";;
  *) ${coder};;
esac`

const onlyTests = 'work; rm src/multiply.js'
const onlyCode = `echo 'export const multiply = (a, b) => a * b' > src/multiply.js`
const hardCoded = `echo 'export const multiply = () => 6' > src/multiply.js`

/** Asks for more than the coder's own test does. */
const acceptance = `work; rm -r src/multiply.js; mv test/multiply.test.js test/acceptance.test.js
sed -i 's/multiply(2, 3), 6/multiply(7, 8), 56/; s/multiplies two/takes the product of any two/' test/acceptance.test.js`

const one = (name: string, settings: Settings, more: Partial<Case>): Case => ({
  code: 'FC15',
  name,
  expect: 'passes',
  agent: 'work',
  settings: { checks, ...settings, limits: { fixStories: 0, ...settings.limits } },
  ...more,
})

const accepted: Partial<Case> = {
  spares: ['acceptance'],
  after: ({ git }) => expect(git('ls-tree', '-r', '--name-only', 'main')).toContain('test/acceptance.test.js'),
}

export const testsFirst: Case[] = [
  one(
    'hard-codes what its own test expects, and an acceptance test asks for more',
    { acceptance: true },
    {
      expect: 'caught',
      agent: roles(acceptance, `work; ${hardCoded}`),
      names: /takes the product of any two/,
    },
  ),
  one('does what an acceptance test asks for', { acceptance: true }, { ...accepted, agent: roles(acceptance, 'work') }),
  one(
    'changes the acceptance test that it cannot pass',
    { acceptance: true },
    {
      expect: 'caught',
      agent: roles(acceptance, `work; ${hardCoded}; echo "import test from 'node:test'" > test/acceptance.test.js`),
      names: /takes the product of any two|acceptance\.test\.js/,
    },
  ),
  one(
    'changes the tests that were written for it',
    { strategy: 'three-session' },
    {
      expect: 'caught',
      agent: roles(onlyTests, `${hardCoded}; sed -i 's/multiply(2, 3), 6/multiply(3, 2), 6/' test/multiply.test.js`),
      names: /test\/multiply\.test\.js/,
    },
  ),
  one(
    'makes the tests pass that were written for it',
    { strategy: 'three-session' },
    {
      agent: roles(onlyTests, onlyCode),
    },
  ),
  one(
    'makes them pass by what they expect, which the verifier sees',
    { strategy: 'three-session' },
    {
      expect: 'caught',
      agent: roles(
        onlyTests,
        hardCoded,
        '"verdict": "findings", "findings": [{ "file": "src/multiply.js", "line": 1, "message": "it answers 6, whatever it is asked", "evidence": "multiply = () => 6" }]',
      ),
      names: /it answers 6/,
    },
  ),
  one(
    'writes the product together with its tests',
    { strategy: 'tdd' },
    {
      expect: 'caught',
      agent: roles('work', 'true'),
      names: /src\/multiply\.js/,
    },
  ),
  one(
    'writes tests that pass before there is any code',
    { strategy: 'tdd' },
    {
      expect: 'caught',
      agent: roles(`sed 's/adds two numbers/adds once more/' test/sum.test.js > test/again.test.js`, onlyCode),
      names: /already passes/,
    },
  ),
  one('writes tests, sees them fail, and makes them pass', { strategy: 'tdd' }, { agent: roles(onlyTests, onlyCode) }),
]
