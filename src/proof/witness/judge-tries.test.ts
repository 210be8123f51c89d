import { describe, expect, it } from 'vitest'
import { blocks } from '../../delivery/judging/finding.ts'
import { type Try, unnoticedFindings, untriedFindings } from './judge-tries.ts'

const tried = (word: Try['word'], by: string[] = []): Try => ({
  damage: { file: 'src/tax.js', line: 1, until: 1, what: '`*` became `+`', kind: 'broken' },
  word,
  by,
  names: [],
})
const [unnoticed, byOld, byOwn] = [tried('unnoticed'), tried('noticed'), tried('noticed', ['test/tax.test.js'])]
const byOldOnly = [byOld, unnoticed, unnoticed]

it.each<[string | undefined, string, Try[], boolean]>([
  ['no test notices the change', 'nobody notices anything', [unnoticed], true],
  ['no test that came with it notices the change', 'only old tests notice', byOldOnly, true],
  [undefined, 'a test that came with it notices', [byOwn, unnoticed, unnoticed], true],
  [undefined, 'not all could be tried, or no test is new', byOldOnly, false],
  [undefined, 'one that was tried tells nothing', [...byOldOnly, tried('unclear')], true],
])('is said to be empty (%s) where %s', (said, _, tries, triedAll) => {
  const found = unnoticedFindings(tries, { mutation: 'block', hasTests: true, triedAll })
  expect(found.find(blocks)?.message.split(':')[0]).toBe(said)
})

describe('tries that there was no time for', () => {
  it('are told, of a long check always and of a short one where nothing was noticed, and block nobody', () => {
    const untried = ['src/a.js:4 (x)', 'src/a.js:5 (x)', 'src/a.js:6 (x)', 'src/a.js:7 (x)']
    const [told] = untriedFindings(untried, { tries: byOldOnly, isLong: true })
    expect(told).toMatchObject({ severity: 'note', rule: 'not-tried', message: expect.stringMatching(/ and 1 more$/) })
    expect(untriedFindings(untried, { tries: byOldOnly, isLong: false })).toEqual([])
    expect(untriedFindings(untried, { tries: [unnoticed], isLong: false })).toMatchObject([{ severity: 'suggestion' }])
  })
})
