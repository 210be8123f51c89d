import { describe, expect, it } from 'vitest'
import { changed } from '../../../test/samples/change.ts'
import { breakagesIn } from './breakages.ts'
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

  it('are none where lines were only removed: what stands beside them now is no part of the change', () => {
    const less = after.replace('export const count = (a) => a.count\n\n', '')
    expect(silentParts([changed('src/cart.js', after, less)], [])).toEqual([])
  })

  it('are none of a file that is new', () => {
    expect(silentParts([changed('src/cart.js', null, after)], [tried(1, 'unnoticed')])).toEqual([])
  })
})

describe('breakages of a file', () => {
  const brokenIn = (path: string, text: string, most: number) =>
    breakagesIn(path, text, { lines: null, code: null, most }).map(({ line, what }) => `${line}: ${what}`)

  it('are from all over it, and not from its beginning', () => {
    const text = Array.from({ length: 40 }, (_, n) => `export const f${n} = (a) => a > b${n}\n`).join('')
    const lines = brokenIn('src/a.js', text, 4).map((one) => Number.parseInt(one, 10))
    expect(Math.max(...lines)).toBeGreaterThan(30)
    expect(Math.min(...lines)).toBe(1)
    expect(brokenIn('src/a.js', text, 200).filter((one) => one.includes('>'))).toHaveLength(40)
  })

  it.each([
    ['a.go', 'func f(a T) int {\n\tif a.ok {\n\t\treturn g()\n\t}\n}\n', '2: `a.ok` became `!a.ok`'],
    ['a.js', 'function f(a) {\n  if (a.ok) return g()\n}\n', '2: `a.ok` became `!a.ok`'],
    ['a.py', 'def f(a):\n    if a.ok:\n        return g()\n', '2: `a.ok` became `not a.ok`'],
  ])('turn what is asked without a sign (%s)', (path, text, what) => {
    expect(brokenIn(path, text, 9)).toContain(what)
  })
})
