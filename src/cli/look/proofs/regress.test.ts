import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Point, Revert, Search } from '../../../ports/proofs/regression.ts'
import type { UserRepository } from '../../../ports/proofs/user-repository.ts'
import { checkDefaults } from '../../../settings/defaults.ts'
import { rendered } from '../../show/line.ts'
import { regressionLines, runLine } from '../../show/lines/regression-lines.ts'
import { checksOf, endsOf, namedFiles, refuseBoth } from './regress-request.ts'
import { regressionView } from './regression-view.ts'

const check = (name: string) => ({ ...checkDefaults, name, run: `run ${name}` })
const user = {
  shallow: false,
  commits: async (revision: string) => (revision === 'gone' ? null : [`id of ${revision}`]),
} as unknown as UserRepository

describe('what is asked for', () => {
  it('is all checks, one of them, or a command of one’s own', () => {
    const all = [check('lint'), check('test')]
    expect(checksOf(all, {}).map(({ name }) => name)).toEqual(['lint', 'test'])
    expect(checksOf(all, { check: 'test' }).map(({ run }) => run)).toEqual(['run test'])
    expect(checksOf([], { run: 'make it' })).toMatchObject([{ name: '--run', run: 'make it', parser: 'auto' }])
    expect(() => checksOf(all, { check: 'tset' })).toThrow('there is no check "tset"')
    expect(() => checksOf([], {})).toThrow('the settings have no checks')
    expect(() => checksOf(all, { run: ' ' })).toThrow('--run is empty')
    expect(() => refuseBoth('a..b', { since: 'a' })).toThrow('both say where to begin')
    expect(() => refuseBoth(undefined, { check: 'a', run: 'b' })).toThrow('both say what to run')
  })

  it('ends at the target, or where a range ends', async () => {
    const ends = (range?: string, since?: string) => endsOf(user, { range, since, tip: 'target' })
    expect(await ends()).toEqual({ tip: 'target', since: null })
    expect(await ends(undefined, 'v1')).toEqual({ tip: 'target', since: 'id of v1' })
    expect(await ends('v1..v2')).toEqual({ tip: 'id of v2', since: 'id of v1' })
    expect(await ends('v1..')).toEqual({ tip: 'id of HEAD', since: 'id of v1' })
    await expect(ends('v1')).rejects.toThrow('"v1" is no range')
    await expect(ends('a...b')).rejects.toThrow('is no range')
    await expect(ends('gone..v1')).rejects.toThrow('knows no "gone"')
  })

  it('brings the files of the checkout that the command names, and none from outside', async () => {
    const root = mkdtempSync(join(tmpdir(), 'ropewalk-regress-'))
    mkdirSync(join(root, 'test'))
    writeFileSync(join(root, 'test/a.test.js'), 'a')
    const files = await namedFiles(root, `node --test "test/a.test.js" test ../x /etc/passwd`)
    expect(files.map(({ path }) => path)).toEqual(['test/a.test.js'])
  })
})

const point = (commit: string, more: Partial<Point> = {}): Point => ({
  ...{ commit: commit.padEnd(40, '0'), parents: ['p'], author: 'Ada', subject: `Do ${commit}` },
  ...{ story: { delivery: 'd', story: 's' }, ...more },
})
const course = [point('a', { story: null }), point('b')]
const red = {
  ...{ check: 'test', command: 'npm test', message: '1 of 3 tests failed', tail: '', runs: 3 },
  failures: [{ file: 'a.test.js', line: 4, test: 'adds', error: 'expected 1\nto be 2' }],
}
const culprit = { delivery: 'd', story: 's', title: "It's in", agent: 'mine', requirement: null }
const told = (result: Search) => {
  const view = regressionView(result, { target: 'main', course, culprit: result.status === 'found' ? culprit : null })
  return regressionLines(view)
    .map((line) => rendered(line, false))
    .join('\n')
}
const found = (revert: Revert, commits = [point('b')]): Search => ({
  ...{ ...red, status: 'found', at: commits[0]!, commits, before: [], revert },
})

describe('what is told', () => {
  it('is the story, the failures, the runs, and the revert with its command', () => {
    const text = told(found({ status: 'applies', mended: true, red: [] }))
    expect(text).toMatch(/^\nRed since It's in\n {2}story s of d, by mine\n {2}commit b0{9} Do b\n/)
    expect(text).toMatch(/a\.test\.js:4 {2}adds: expected 1\n/)
    expect(text).toMatch(/Found in 3 runs over 1 commit\.\nReverting it applies cleanly, and test is green with it\./)
    expect(text).toMatch(/Next\n {2}git revert --no-edit b0{9}$/)
    const lint = told(found({ status: 'applies', mended: true, red: [{ check: 'lint', message: 'no' }] }))
    expect(lint).toMatch(/test is green with it\. But lint is red with it: no\n/)
    const applies: Revert = { status: 'applies', mended: true, red: [{ check: 'test', message: 'x' }] }
    expect(told(found(applies, [point('b'), point('c')]))).toMatch(
      /stays red\.\n.*\n {2}git revert --no-edit b0+\^\.\.c0+$/,
    )
    expect(told(found(applies, [point('b', { parents: ['p', 'q'] })]))).toMatch(/git revert --no-edit -m 1 b0/)
  })

  it('is a requirement that a shell takes as one word where the revert conflicts', () => {
    const text = told(found({ status: 'conflict', files: ['src/a.js'] }))
    expect(text).toMatch(/does not apply: later changes are in the way in src\/a\.js/)
    expect(text).toContain(
      `ropewalk run 'Revert "It'\\''s in" (commit b000000000) and keep what came after it. The check test, and in it "adds", must`,
    )
  })

  it('blames nobody of ours for what is flaky, older, unclear or somebody else’s', () => {
    const [start, tip] = course as [Point, Point]
    expect(told({ ...red, status: 'flaky', at: tip, tests: ['adds'] })).toMatch(
      /Flaky.*\n {2}adds\nNo story is to blame/,
    )
    expect(told({ ...red, status: 'before', at: start })).toMatch(/before the first of our stories: not one of ours/)
    expect(told({ ...red, status: 'unclear', suspects: course })).toMatch(
      /one of 2 commits[\s\S]*\(Ada\)[\s\S]*\(s of d\)[\s\S]* {2}git log --oneline a0{9}\^\.\.b0{9}$/,
    )
    const root = point('a', { story: null, parents: [] })
    expect(told({ ...red, status: 'unclear', suspects: [root, tip] })).toMatch(/ {2}git log --oneline b0{9}$/)
    expect(told({ ...red, status: 'foreign', at: start, before: [] })).toMatch(/by Ada: no story of ours/)
    const merge = point('c', { story: null, parents: ['p', 'q'] })
    expect(told({ ...red, status: 'foreign', at: merge, before: [] })).toMatch(
      /by Ada: a merge, tried only as a whole\n[\s\S]* {2}git log --oneline c0{9}\^1\.\.c0{9}$/,
    )
    expect(told({ status: 'green', checks: ['test'], runs: 1 })).toBe('Nothing is red at the tip of main: test')
  })

  it('is each run, with how many there may be', () => {
    const run = { check: 'test', point: course[1]!, word: 'red', message: '', durationMs: 1500, again: true } as const
    expect(rendered(runLine({ ...run, number: 3, most: 3 }), false)).toBe(
      '3 of at most 3  red      b000000000  1s  Do b (again)',
    )
  })
})
