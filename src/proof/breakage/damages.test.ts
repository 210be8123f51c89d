import { describe, expect, it } from 'vitest'
import { changed } from '../inspection/sample-change.ts'
import { silentParts } from './damages.ts'

const before = 'export const total = (a) => a.price * a.count\n\nexport const count = (a) => a.count\n'
const after =
  'export const total = (a) => a.price\n\nexport const count = (a) => a.count\n\nexport const more = (a) => a + 1\n'
const change = changed('src/cart.js', before, after)
const tried = (line: number, word: string) => ({
  damage: { file: 'src/cart.js', line, until: line, kind: 'broken' as const },
  word,
})

describe('parts of a change of which nothing is noticed', () => {
  it('are those with lines that were other before, and they know which', () => {
    const parts = silentParts([change], [tried(1, 'unnoticed'), tried(5, 'unnoticed')])
    expect(parts.map(({ line, was }) => ({ line, was }))).toEqual([{ line: 1, was: [1] }])
  })

  it('are also those where nothing was tried', () => {
    expect(silentParts([change], [tried(5, 'unnoticed')]).map(({ line }) => line)).toEqual([1])
  })

  it('are none where one breakage is noticed, or nobody could tell', () => {
    expect(silentParts([change], [tried(1, 'unnoticed'), tried(1, 'noticed')])).toEqual([])
    expect(silentParts([change], [tried(1, 'unclear')])).toEqual([])
  })

  it('are none of a file that is new', () => {
    expect(silentParts([changed('src/cart.js', null, after)], [tried(1, 'unnoticed')])).toEqual([])
  })
})
