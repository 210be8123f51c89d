import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { arrangeItems, arrangeNames } from './structure.ts'
import { matches, mergeSequences, patchOf } from './three-way.ts'

const words = fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { maxLength: 12 })
const names = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g'))

/** The length of the longest common part, by the book. */
function longest(left: string[], right: string[]): number {
  const row = new Array<number>(right.length + 1).fill(0)
  for (const item of left) {
    let before = 0
    for (let i = 1; i <= right.length; i++) {
      const above = row[i]!
      row[i] = item === right[i - 1] ? before + 1 : Math.max(above, row[i - 1]!)
      before = above
    }
  }
  return row[right.length]!
}

describe('two sequences', () => {
  it('are matched by as many equal items as there can be, in order', () => {
    fc.assert(
      fc.property(words, words, (left, right) => {
        const found = matches(left, right)!
        expect(found).toHaveLength(longest(left, right))
        for (const [index, match] of found.entries()) {
          expect(left[match.left]).toBe(right[match.right])
          if (index > 0) expect(match.left).toBeGreaterThan(found[index - 1]!.left)
          if (index > 0) expect(match.right).toBeGreaterThan(found[index - 1]!.right)
        }
      }),
      { numRuns: 500 },
    )
  })

  it('with almost nothing in common are not compared', () => {
    const many = (prefix: string): string[] => Array.from({ length: 3_000 }, (_, i) => `${prefix}${i}`)
    expect(matches(many('a'), many('b'))).toBeNull()
    expect(patchOf(many('a').join('\n'), many('b').join('\n'))).toBe('(almost every line is another)')
  })

  it('show their difference with a little around it', () => {
    expect(patchOf('1\n2\n3\n4\n5\n6\n7\n', '1\n2\n3\nx\n5\n6\n7\n')).toBe(' 2\n 3\n-4\n+x\n 5\n 6\n…')
  })
})

describe('three sequences', () => {
  it('become what one side made of them when the other did nothing', () => {
    fc.assert(
      fc.property(words, words, (base, side) => {
        expect(mergeSequences({ base, ours: side, theirs: base }, () => null)).toEqual(side)
        expect(mergeSequences({ base, ours: base, theirs: side }, () => null)).toEqual(side)
        expect(mergeSequences({ base, ours: side, theirs: side }, () => null)).toEqual(side)
      }),
    )
  })

  it('as sets have what both kept and what each added, once', () => {
    fc.assert(
      fc.property(names, names, names, (base, ours, theirs) => {
        const wanted = [...new Set([...ours, ...theirs])].filter(
          (name) => !base.includes(name) || (ours.includes(name) && theirs.includes(name)),
        )
        const lists = { base, ours, theirs }
        expect([...arrangeNames(lists)].sort()).toEqual([...wanted].sort())
        const items = arrangeItems(lists, true)
        if (items !== null) expect([...items].sort()).toEqual([...wanted].sort())
      }),
      { numRuns: 500 },
    )
  })
})
