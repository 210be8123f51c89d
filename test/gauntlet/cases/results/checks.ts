// Checks that break, and worlds in which they always were broken.
import { expect } from 'vitest'
import type { Case } from '../../case.ts'

const testFile = (path: string, body: string) => `cat > ${path} <<'TEST'
import assert from 'node:assert/strict'
import test from 'node:test'

${body}
TEST`

const lateTest = (name: string, body: string): string => `import assert from 'node:assert/strict'
import test from 'node:test'

test('${name}', () => {
  ${body}
})
`

/** Fails every other time that it runs on this machine, whatever the code is. */
const flaky = `import assert from 'node:assert/strict'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import test from 'node:test'

test('talks to the network', () => {
  const sign = process.env.HOME + '/flaked'
  if (existsSync(sign)) return rmSync(sign)
  writeFileSync(sign, '')
  assert.fail('connection reset')
})
`

/** Its first run is that of the base, before the story: it fails in the second. */
const flakyAfterwards = flaky.replace(
  / {2}if [\s\S]*'connection reset'\)/,
  `  if (!existsSync(sign)) return writeFileSync(sign, '')
  rmSync(sign)
  assert.fail('connection reset')`,
)

const redTest = lateTest('has been broken for years', 'assert.equal(1, 2)')

/** All test files in one process, as some runners do. */
const allInOne = `import { readdirSync } from 'node:fs'
for (const name of readdirSync('test').sort()) await import('./test/' + name)
`
const together = { run: 'node all.mjs', related: 'node --test {files}' }
const zone: Case['files'] = {
  'all.mjs': allInOne,
  'src/zone.js': "export const zone = () => process.env.SHOP_ZONE ?? 'EU'\n",
  'test/zone.test.js': lateTest('is in Europe', "assert.equal(zone(), 'EU')").replace(
    '\n\n',
    "\nimport { zone } from '../src/zone.js'\n\n",
  ),
}
const spoils = `cat >> test/multiply.test.js <<'TEST'

test('multiplies in another zone', () => {
  process.env.SHOP_ZONE = 'US'
  assert.equal(multiply(3, 3), 9)
})
TEST`

export const checks: Case[] = [
  {
    code: 'FD1',
    name: 'a test file dies in the middle',
    expect: 'caught',
    agent: `work; ${testFile('test/heavy.test.js', "test('eats memory', () => process.kill(process.pid, 'SIGKILL'))\ntest('is small', () => assert.equal([1].length, 1))")}`,
    names: /heavy\.test\.js/,
  },
  {
    code: 'FD1',
    name: 'the runner dies in the middle of its report',
    expect: 'caught',
    agent: 'work; touch heavy',
    settings: { check: 'node run.mjs', parser: 'tap' },
    files: {
      'run.mjs': `import { existsSync } from 'node:fs'
console.log('TAP version 13')
console.log('ok 1 - first')
if (existsSync('heavy')) process.kill(process.pid, 'SIGKILL')
console.log('ok 2 - second')
console.log('1..2')
`,
    },
    names: /SIGKILL|ended early/,
  },
  {
    code: 'FD1',
    name: 'the report is cut off, and the exit code is 0',
    expect: 'caught',
    agent: 'work; touch heavy',
    settings: { check: 'node run.mjs' },
    files: {
      'run.mjs': `import { existsSync } from 'node:fs'
console.log('TAP version 13')
console.log('1..3')
console.log('ok 1 - first')
if (existsSync('heavy')) process.exit(0)
console.log('ok 2 - second')
console.log('ok 3 - third')
`,
    },
    names: /promised 3 results and had 1/,
  },
  {
    code: 'FD1',
    name: 'the check does not end',
    expect: 'caught',
    agent: `work; ${testFile('test/slow.test.js', "test('waits', () => new Promise((done) => setTimeout(done, 600_000)))")}`,
    settings: { checkTimeoutMs: 2_000 },
    names: /in time|timeout/,
  },
  {
    code: 'FD1',
    name: 'a test ends a process of its own',
    expect: 'passes',
    agent: `work; ${testFile(
      'test/child.test.js',
      `import { spawnSync } from 'node:child_process'
test('sees a child die', () => {
  assert.equal(spawnSync('sh', ['-c', 'kill -9 $$']).signal, 'SIGKILL')
})`,
    )}`,
  },
  {
    code: 'FD3',
    name: 'two stories pass alone and fail together',
    expect: 'caught',
    stories: [{ id: 'double' }, { id: 'rename' }],
    settings: { limits: { agents: 1 } },
    agent: `if [ "$ROPEWALK_STORY" = rename ]; then
  sed -i 's/sum/add/' src/sum.js; sed -i 's/import { sum }/import { add as sum }/' test/sum.test.js
else
  echo "import { sum } from './sum.js'
export const double = (a) => sum(a, a)" > src/double.js
  ${testFile('test/double.test.js', "import { double } from '../src/double.js'\ntest('doubles', () => assert.equal(double(2), 4))")}
fi`,
    spares: ['double'],
    names: /double\.test\.js/,
  },
  {
    code: 'FD3',
    name: 'two stories pass alone and together',
    expect: 'passes',
    stories: [{ id: 'multiply' }, { id: 'divide' }],
    agent: `if [ "$ROPEWALK_STORY" = multiply ]; then work; else
  echo 'export const divide = (a, b) => a / b' > src/divide.js
  ${testFile('test/divide.test.js', "import { divide } from '../src/divide.js'\ntest('divides', () => assert.equal(divide(6, 3), 2))")}
fi`,
  },
  {
    code: 'FD3',
    name: 'a test passes alone and spoils another one',
    expect: 'caught',
    settings: { check: 'node all.mjs', checks: { test: together } },
    files: zone,
    agent: `work; ${spoils}`,
    names: /is in Europe/,
  },
  {
    code: 'FD3',
    name: 'tests pass alone and in one process',
    expect: 'passes',
    settings: { check: 'node all.mjs', checks: { test: together } },
    files: zone,
    agent: 'work',
  },
  {
    code: 'FD4',
    name: 'the story brings a flaky test',
    expect: 'caught',
    agent: `work; cat > test/flaky.test.js <<'TEST'\n${flaky}TEST`,
    names: /talks to the network/,
  },
  {
    code: 'FD4',
    name: 'a flaky test was there before',
    expect: 'passes',
    agent: 'work',
    files: { 'test/flaky.test.js': flakyAfterwards },
    settings: { limits: { flakyReruns: 2 } },
    // It may flake in our own look at the result as well.
    redBase: true,
    after: (_, runs) => expect(runs.at(-1)!.output).toMatch(/flaky|base is red/),
  },
  {
    code: 'FD5',
    name: 'the base is red, and the story adds a failure',
    expect: 'caught',
    agent: `work; echo 'export const multiply = (a, b) => a + b + 7' > src/multiply.js`,
    files: { 'test/ancient.test.js': redTest },
    names: /multiplies two numbers/,
  },
  {
    code: 'FD5',
    name: 'the base is red, and the story breaks another test that was green',
    expect: 'caught',
    agent: `work; echo 'export const sum = () => 3' > src/sum.js`,
    files: { 'test/ancient.test.js': redTest },
    names: /adds two numbers|adds fractions/,
  },
  {
    code: 'FD5',
    name: 'the base is red, and the story deletes the red test',
    expect: 'caught',
    agent: 'work; rm test/ancient.test.js',
    files: { 'test/ancient.test.js': redTest },
    names: /ancient\.test\.js/,
  },
  {
    code: 'FD5',
    name: 'the base does not build, and the story leaves it so',
    expect: 'caught',
    agent: 'work; rm test/multiply.test.js',
    files: { 'src/sum.js': 'export const sum = (a, b => a\n' },
    names: /base/,
  },
  {
    code: 'FD5',
    name: 'the base is red elsewhere',
    expect: 'passes',
    agent: 'work',
    files: { 'test/ancient.test.js': redTest },
    redBase: true,
    after: (_, runs) => expect(runs.at(-1)!.output).toContain('the base is red: has been broken for years'),
  },
  {
    code: 'FD5',
    name: 'the base is red, and the story mends it',
    expect: 'passes',
    agent: `echo 'export const sum = (a, b) => a + b' > src/sum.js`,
    files: { 'src/sum.js': 'export const sum = (a, b) => a - b\n' },
  },
  {
    code: 'FD5',
    name: 'the base does not build, and the story mends it',
    expect: 'passes',
    agent: `echo 'export const sum = (a, b) => a + b' > src/sum.js`,
    files: { 'src/sum.js': 'export const sum = (a, b => a\n' },
  },
  {
    code: 'FD7',
    name: 'noise that looks like failures',
    expect: 'passes',
    agent: `work; ${testFile(
      'test/noise.test.js',
      `test('prints', () => {
  console.log('not ok 1 - FAIL\\n# fail 3\\nError: boom\\n✖ failing tests:\\n1..9')
  console.error('TAP version 13\\nBail out! not really\\n# tests 0')
  assert.equal([1, 2].length, 2)
})`,
    )}`,
  },
]
