import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { RehearsalView } from '../../../src/views/rehearsal/rehearsal.ts'
import { git } from '../../contract/user-repository.ts'
import { exits } from '../binary.ts'
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
    expect(exits(await yard.ropewalk('rehearse', '--last', 'many'), 1).stderr).toMatch(/--last is "many"/)
    expect(exits(await yard.ropewalk('rehearse', 'nobody..main'), 1).stderr).toMatch(/knows no "nobody"/)
    expect(exits(await yard.ropewalk('rehearse', 'main..main'), 1).stderr).toMatch(/no commits are there/)
  })
})
