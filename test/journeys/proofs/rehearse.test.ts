import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { RehearsalView } from '../../../src/views/rehearsal.ts'
import { git } from '../../contract/user-repository.ts'
import { exits, until } from '../binary.ts'
import { Yard } from '../yard.ts'

type Files = Record<string, string | null>

function commit(repo: string, subject: string, files: Files): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(repo, path, '..'), { recursive: true })
    if (text === null) rmSync(join(repo, path))
    else writeFileSync(join(repo, path), text)
  }
  git(repo, 'add', '-A')
  git(repo, 'commit', '-q', '-m', subject)
}

const past: [string, Files][] = [
  ['Add a cart', { 'src/cart.js': 'export const sum = (a) => a\n', 'test/cart.test.js': "it('sums', () => {})\n" }],
  ['Change what the cart says', { 'src/cart.js': 'x\n', 'test/cart.test.js': "it('sums', () => same(1))\n" }],
  ['Tell about it', { 'docs/cart.md': '# Cart\n' }],
  ['Switch it off', { 'test/cart.test.js': "it.skip('sums', () => same(1))\n" }],
  ['Check less', { 'check.sh': 'true\n' }],
]

describe('a rehearsal', () => {
  it('tells what of the history would have been stopped, by kind and by rule, and writes nothing', async () => {
    const yard = new Yard()
    await yard.userActs((repo) => {
      for (const [subject, files] of past) commit(repo, subject, files)
    })
    const view = JSON.parse(exits(await yard.ropewalk('rehearse', '--json'), 0).stdout) as RehearsalView
    expect(view).toMatchObject({ target: 'main', commits: 5, stopped: 2 })
    expect(view.kinds).toEqual([
      { kind: 'code with tests', commits: 2, stopped: 0 },
      { kind: 'tests only', commits: 1, stopped: 1 },
      { kind: 'code only', commits: 0, stopped: 0 },
      { kind: 'documentation', commits: 1, stopped: 0 },
      { kind: 'continuous integration', commits: 0, stopped: 0 },
      { kind: 'other', commits: 1, stopped: 1 },
    ])
    expect(view.rules.map(({ rule, commits }) => [rule, commits.map(({ subject }) => subject)]).sort()).toEqual([
      ['protected-file', ['Check less']],
      ['test-skipped', ['Switch it off']],
    ])
    const told = exits(await yard.ropewalk('rehearse', '--last', '2'), 0).stdout
    expect(told).toMatch(/^2 of 2 commits of main would have been stopped \(100\.0 %\)/)
    expect(told).toMatch(/What would help\n[\s\S]*mayChange: \[check\.sh\]/)
    expect(exits(await yard.ropewalk('rehearse', 'main~3..main~2'), 0).stdout).toMatch(/^0 of 1 commit of main~3/)
    expect(existsSync(yard.home)).toBe(false)
  })

  it('refuses what names no commits', async () => {
    const yard = new Yard()
    expect(exits(await yard.ropewalk('rehearse', '--last', 'many'), 1).stderr).toMatch(/--last many is not a number/)
    expect(exits(await yard.ropewalk('rehearse', 'nobody..main'), 1).stderr).toMatch(/knows no "nobody"/)
    expect(exits(await yard.ropewalk('rehearse', 'main..main'), 1).stderr).toMatch(/no commits are there/)
    const sample = exits(await yard.ropewalk('rehearse', '--run', '--sample', '0'), 1)
    expect(sample.stderr).toMatch(/--sample 0 is not a number[\s\S]*1 to 999999/)
    expect(exits(await yard.ropewalk('rehearse', '--sample', '3'), 1).stderr).toMatch(/add --run/)
    expect(exits(await yard.ropewalk('rehearse', '--run'), 1).stderr).toMatch(/no commit changes code or tests/)
    const bare = new Yard({ config: null })
    expect(exits(await bare.ropewalk('rehearse', '--run'), 1).stderr).toMatch(/no checks to run[\s\S]*ropewalk init/)
  })
})

const sum = 'export const sum = (prices) => prices.reduce((all, one) => all + one, 0)\n'
const less = 'export const less = (price, part) => price - price * part\n'
const test = (name: string, ...lines: string[]): string =>
  [
    "import { test } from 'node:test'",
    "import assert from 'node:assert'",
    "import * as cart from '../src/cart.js'",
    `test('${name}', () => {\n${lines.map((line) => `  ${line}`).join('\n')}\n})\n`,
  ].join('\n')

const tested = {
  'package.json': '{ "type": "module" }\n',
  'src/cart.js': sum,
  'test/sum.test.js': test('sums', 'assert.equal(cart.sum([1, 2]), 3)'),
}

const work: [string, Files][] = [
  [
    'Add a discount',
    { 'src/cart.js': sum + less, 'test/less.test.js': test('less', 'assert.equal(cart.less(10, 0.5), 5)') },
  ],
  [
    'Count in cents',
    {
      'src/cart.js': sum.replace('all + one', 'all + one * 100') + less,
      'test/sum.test.js': test('sums', 'assert.equal(cart.sum([1, 2]), 300)'),
    },
  ],
  [
    'Add a tip that nobody tests',
    {
      'src/tip.js': 'export const tip = (price) => price * 2 + 1\n',
      'test/tip.test.js': test('tips', "import('../src/tip.js').then((it) => it.tip(2))").replace('cart.js', 'tip.js'),
    },
  ],
  ['Break the sum', { 'src/cart.js': sum.replace('all + one', 'all - one') + less }],
  ['Mend the sum', { 'src/cart.js': sum.replace('all + one', 'all + one * 100') + less }],
]

const checks = { test: { run: 'node --test test/*.test.js' } }
const running = { checks, sandbox: 'auto', limits: { breakages: 3 } }

describe('a rehearsal that runs', () => {
  it('asks the judges of a delivery about a sample, and writes nothing', async () => {
    const yard = new Yard({ config: running, files: tested })
    await yard.userActs((repo) => {
      for (const [subject, files] of work) commit(repo, subject, files)
    })
    const view = JSON.parse(exits(await yard.ropewalk('rehearse', '--run', '--json'), 0).stdout) as RehearsalView
    const runs = view.runs!
    expect(runs).toMatchObject({ sample: 5, run: 5, judged: 4, stopped: 2, asked: 1 })
    expect(runs.unjudged).toMatchObject([{ subject: 'Mend the sum', reason: expect.stringMatching(/parent is red/) }])
    const told = runs.judges.map(({ judge, stopped, asked }) => [
      judge,
      ...[stopped, asked].map((some) => some.map(({ subject }) => subject)),
    ])
    expect(told).toEqual([
      ['check:test', ['Break the sum'], []],
      ['guard:test', [], ['Count in cents']],
      ['sensitivity', [], []],
      ['witness', ['Add a tip that nobody tests'], []],
    ])
    expect(runs.advice.join(' ')).toMatch(/changedTests[\s\S]*quarantine/)
    expect(existsSync(yard.home)).toBe(false)
    const words = exits(await yard.ropewalk('rehearse', '--run', '--last', '1'), 0).stdout
    expect(words).toMatch(/^1 of 1 {2}not judged.*Mend the sum\n[\s\S]*Run: 0 of 0 commits[\s\S]*its parent is red/)
  })

  it('ends what it runs when it is interrupted, and tells what it has so far', async () => {
    const check = 'echo begun >> "$TMPDIR/../begun"; node --test test/*.test.js; sleep 300'
    const yard = new Yard({ config: { checks: { test: { run: check } } }, files: tested })
    await yard.userActs((repo) => commit(repo, ...work[0]!))
    const scratch = join(yard.person, 'scratch')
    mkdirSync(scratch)
    const going = yard.start(['rehearse', '--run'], { env: { TMPDIR: scratch } })
    await until(() => existsSync(join(yard.person, 'begun')))
    going.child.kill('SIGINT')
    const { stdout } = exits(await going.done, 3)
    expect(stdout).toMatch(/^Interrupted[\s\S]*0 of 1 commit of main[\s\S]*Run: 0 of 0 commits/)
    expect(readdirSync(scratch)).toEqual([])
  })
})
