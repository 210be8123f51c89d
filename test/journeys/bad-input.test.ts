import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { git } from '../contract/user-repository.ts'
import { exits } from './binary.ts'
import { story, Yard } from './yard.ts'

/** Exit 1, a message that names the thing, a next step, and no delivery. */
async function refused(yard: Yard, args: string[], says: RegExp): Promise<void> {
  const { stderr, stdout } = exits(await yard.ropewalk(...args), 1)
  expect(stderr).toMatch(says)
  expect(stderr).toMatch(/→ \S/)
  expect(stderr).not.toMatch(/unexpected|defect/)
  expect(stdout).toBe('')
  const all = exits(await yard.ropewalk('status', '--all'), 0)
  expect(all.stdout).toMatch(/There are no deliveries yet/)
  expect(existsSync(join(yard.person, 'turns'))).toBe(false)
}

const plans: [what: string, stories: unknown, says: RegExp][] = [
  [
    'a circle',
    [story('a', { dependsOn: ['b'] }), story('b', { dependsOn: ['a'] })],
    /circle: a → b → a|circle: b → a → b/,
  ],
  ['an unknown dependency', [story('a', { dependsOn: ['nobody'] })], /a depends on nobody/],
  ['an id twice', [story('a'), story('a')], /two stories have the id a/],
  ['ids that differ in case only', [story('a'), story('A')], /differ only in case/],
  ['an id that is a path', [story('../../etc')], /"?\.\.\/\.\.\/etc"?/],
  ['no stories', [], /stor/],
  ['too many stories', Array.from({ length: 21 }, (_, index) => story(`s${index}`)), /21[\s\S]*20|20[\s\S]*21/],
  ['a file outside', [story('a', { files: ['../x'] })], /"\.\.\/x"/],
  ['an unknown key', [story('a', { dependson: ['b'] })], /dependson/],
  ['something else', 'no list', /stories/],
]

describe('a plan', () => {
  it('that cannot be used is refused, with everything that is wrong', async () => {
    const yard = new Yard({ config: { limits: { storiesPerPlan: 20 } } })
    for (const [, stories, says] of plans) await refused(yard, yard.planArgs(stories as object[]), says)
    const file = join(yard.person, 'plan.yaml')
    writeFileSync(file, `stories:\n${'# filler\n'.repeat(600_000)}`)
    await refused(yard, ['run', 'x', '--plan', file], /plan\.yaml/)
    writeFileSync(file, 'stories: [\n  - id: "a\n')
    await refused(yard, ['run', 'x', '--plan', file], /plan\.yaml:\d+/)
    await refused(yard, ['run', 'x', '--plan', join(yard.person, 'none.yaml')], /none\.yaml: it does not exist/)
  })
})

describe('a configuration', () => {
  const wrong: [config: object, says: RegExp][] = [
    [{ gaets: 'auto' }, /gaets[\s\S]*gates/],
    [{ gates: 'sometimes' }, /gates[\s\S]*sometimes[\s\S]*auto, plan, manual/],
    [{ limits: { agents: 0 } }, /limits\.agents[\s\S]*0[\s\S]*1/],
    [{ roles: { coder: 'nobody' } }, /nobody/],
    [{ agents: { mine: { driver: 'command', command: ['./not-there'] } } }, /\.\/not-there/],
    [{ agents: { mine: { driver: 'command', command: ['./README.md'] } } }, /not executable[\s\S]*chmod/],
    [{ agents: { mine: { driver: 'scripted', script: 'none.yaml' } } }, /none\.yaml/],
    [{ agents: {} }, /agent/],
    [{ checks: {} }, /checks/],
  ]

  it('that cannot be used is refused, and names key, value and place', async () => {
    const yard = new Yard({ config: null })
    for (const [config, says] of wrong) {
      const base = { agents: { mine: { driver: 'command', command: ['./agent.sh'] } }, checks: { test: 'true' } }
      await yard.userActs((repo) => writeFileSync(join(repo, 'ropewalk.yaml'), JSON.stringify({ ...base, ...config })))
      await refused(yard, yard.planArgs([story('a')]), says)
    }
    await yard.userActs((repo) => writeFileSync(join(repo, 'ropewalk.yaml'), 'checks:\n  test: "npm test\n'))
    await refused(yard, ['run', 'x'], /ropewalk\.yaml:\d+:\d+/)
    expect(exits(await yard.ropewalk('doctor'), 1).stdout).toMatch(/ropewalk\.yaml:\d+:\d+/)
  })
})

describe('a repository', () => {
  it('without commits, without a branch, or that is none, is refused with what to do', async () => {
    const yard = new Yard({ config: { target: undefined } })
    await yard.userActs((repo) => git(repo, 'checkout', '-q', '--detach'))
    await refused(yard, yard.planArgs([story('a')]), /HEAD is detached[\s\S]*--target/)
    await refused(yard, [...yard.planArgs([story('a')]), '--target', 'gone'], /"?gone"?/)
    const empty = join(yard.person, 'empty')
    git(yard.person, 'init', '-q', 'empty')
    for (const [cwd, says] of [
      [empty, /has no commit yet[\s\S]*→/],
      [join(yard.person), /not (?:in )?a git repository|no git repository/],
    ] as const)
      expect(exits(await yard.start(['run', 'x'], { cwd }).done, 1).stderr).toMatch(says)
    expect(git(empty, 'for-each-ref')).toBe('')
  })
})

describe('a requirement and an argument', () => {
  it('that make no sense are refused', async () => {
    const yard = new Yard()
    await refused(yard, ['run'], /no requirement was given/)
    await refused(yard, ['run', ' '], /empty/)
    await refused(yard, ['run', 'x', '-f', 'README.md'], /given twice/)
    await refused(yard, ['run', '-f', 'none.md'], /none\.md: it does not exist/)
    await refused(yard, [...yard.planArgs([story('a')]), '--max-usd', 'much'], /max-usd|usdPerDelivery/)
    for (const args of [['fly'], ['run', '--fast'], ['why'], ['log', '--limit', 'x']])
      expect(exits(await yard.ropewalk(...args), 1).stderr).toMatch(/^error: /)
  })
})
