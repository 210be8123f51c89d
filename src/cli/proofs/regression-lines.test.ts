import { describe, expect, it } from 'vitest'
import { regressionView } from '../../desk/proofs/regress.ts'
import type { Point, Revert, Search } from '../../ports/proofs/regression.ts'
import { rendered } from '../show/line.ts'
import { regressionLines, regressRunLine } from './regress.ts'

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
const nextOfFound = (revert: Revert, commits = [point('b')]): Search => ({
  ...{ ...red, status: 'found', at: commits[0]!, commits, before: [], revert },
})

describe('what is told', () => {
  it('is the story, the failures, the runs, and the revert with its command', () => {
    const text = told(nextOfFound({ status: 'applies', mended: true, red: [] }))
    expect(text).toMatch(/^\nRed since It's in\n {2}story s of d, by mine\n {2}commit b0{9} Do b\n/)
    expect(text).toMatch(/a\.test\.js:4 {2}adds: expected 1\n/)
    expect(text).toMatch(/Found in 3 runs over 1 commit\.\nReverting it applies cleanly, and test is green with it\./)
    expect(text).toMatch(/Next\n {2}git revert --no-edit b0{9}$/)
    const lint = told(nextOfFound({ status: 'applies', mended: true, red: [{ check: 'lint', message: 'no' }] }))
    expect(lint).toMatch(/test is green with it\. But lint is red with it: no\n/)
    const applies: Revert = { status: 'applies', mended: true, red: [{ check: 'test', message: 'x' }] }
    expect(told(nextOfFound(applies, [point('b'), point('c')]))).toMatch(
      /stays red\.\n.*\n {2}git revert --no-edit b0+\^\.\.c0+$/,
    )
    expect(told(nextOfFound(applies, [point('b', { parents: ['p', 'q'] })]))).toMatch(/git revert --no-edit -m 1 b0/)
  })

  it('is a requirement that a shell takes as one word where the revert conflicts', () => {
    const text = told(nextOfFound({ status: 'conflict', files: ['src/a.js'] }))
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
    expect(rendered(regressRunLine({ ...run, number: 3, most: 3 }), false)).toBe(
      '3 of at most 3  red      b000000000  1s  Do b (again)',
    )
  })
})
