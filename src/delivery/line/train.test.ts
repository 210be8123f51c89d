import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Known } from './train.ts'
import { culpritOf, isOpen, spanOf, toJudge } from './train.ts'

interface Ride {
  joined: string[]
  sentBack: string[]
  runs: number
  /** Times that all who were judging had to be awaited. */
  rounds: number
}

/** Which of those that are being judged speaks next, and whether it has a verdict. */
type Chance = (judging: number) => { next: number; silent: boolean }

const inOrder: Chance = () => ({ next: 0, silent: false })

/** A train of these stories, some of them bad, to its end: as the law does, without the law. */
function ride(stories: string[], bad: Set<string>, { lanes, chance = inOrder }: { lanes: number; chance?: Chance }) {
  const result: Ride = { joined: [], sentBack: [], runs: 0, rounds: 0 }
  let cars = stories
  let known: Known[] = cars.map(() => 'unknown')
  let judging: number[] = []
  while (cars.length > 0) {
    const { proven } = spanOf(known)
    const culprit = culpritOf(known)
    if (proven >= 0) {
      result.joined.push(...cars.splice(0, proven + 1))
      known.splice(0, proven + 1)
      judging = judging.map((car) => car - proven - 1).filter((car) => car >= 0)
    } else if (culprit !== null) {
      result.sentBack.push(cars[culprit]!)
      cars = cars.filter((_, i) => i !== culprit)
      known = cars.map((_, i) => (i < culprit ? known[i]! : 'unknown'))
      judging = judging.filter((car) => car < culprit)
    } else {
      judging = judging.filter((car) => isOpen(spanOf(known), car))
      if (judging.length === 0) result.rounds += 1
      const begun = toJudge(known, { judging, lanes: lanes - judging.length })
      expect(new Set([...judging, ...begun]).size).toBe(judging.length + begun.length)
      judging.push(...begun)
      result.runs += begun.length
      expect(judging.length).toBeGreaterThan(0)
      expect(judging.length).toBeLessThanOrEqual(lanes)
      expect(result.runs).toBeLessThan(500)
      const { next, silent } = chance(judging.length)
      const [car] = judging.splice(next, 1)
      if (!silent) known[car!] = cars.slice(0, car! + 1).some((story) => bad.has(story)) ? 'red' : 'proven'
    }
  }
  return result
}

const named = (count: number): string[] => Array.from({ length: count }, (_, i) => `s${i}`)

describe('a merge train', () => {
  it('finds the one bad story wherever it is, and joins all others in order', () => {
    for (let count = 1; count <= 16; count++)
      for (let lanes = 1; lanes <= 4; lanes++)
        for (const culprit of named(count)) {
          const { joined, sentBack } = ride(named(count), new Set([culprit]), { lanes })
          expect(sentBack).toEqual([culprit])
          expect(joined).toEqual(named(count).filter((story) => story !== culprit))
        }
  })
  it('does so with one lane in as many runs as halving takes, and one each for the top and the rest', () => {
    for (let count = 1; count <= 16; count++) {
      const runs = named(count).map((culprit) => ride(named(count), new Set([culprit]), { lanes: 1 }).runs)
      expect(Math.max(...runs)).toBeLessThanOrEqual(Math.ceil(Math.log2(count)) + 2)
    }
  })
  it('does not wait longer with two lanes than it does with one', () => {
    for (const culprit of named(12)) {
      const bad = new Set([culprit])
      const [one, two] = [1, 2].map((lanes) => ride(named(12), bad, { lanes }).rounds) as [number, number]
      expect(two).toBeLessThanOrEqual(one)
      expect(two).toBeLessThanOrEqual(5)
    }
  })
  it('needs one run when all are good', () => {
    for (let count = 1; count <= 16; count++)
      expect(ride(named(count), new Set(), { lanes: 1 })).toMatchObject({ runs: 1, joined: named(count) })
  })
  it('finds any number of bad ones, in whatever order verdicts come, and though some do not come at all', () => {
    const worlds = fc.record({
      count: fc.integer({ min: 1, max: 16 }),
      bad: fc.uniqueArray(fc.nat({ max: 15 }), { maxLength: 4 }),
      lanes: fc.integer({ min: 1, max: 4 }),
      luck: fc.infiniteStream(fc.nat({ max: 99 })),
    })
    fc.assert(
      fc.property(worlds, ({ count, bad, lanes, luck }) => {
        const chance: Chance = (judging) => ({ next: luck.next().value % judging, silent: luck.next().value < 10 })
        const wrong = new Set(bad.map((i) => `s${i}`))
        const { joined, sentBack } = ride(named(count), wrong, { lanes, chance })
        expect(joined).toEqual(named(count).filter((story) => !wrong.has(story)))
        expect(sentBack).toEqual(named(count).filter((story) => wrong.has(story)))
      }),
      { numRuns: 1000 },
    )
  })
  it('takes what is proven for proven, though a part of it was red', () => {
    const known: Known[] = ['red', 'unknown', 'proven', 'unknown', 'red']
    expect(spanOf(known)).toEqual({ proven: 2, red: 4 })
    expect(culpritOf(known)).toBeNull()
    expect(toJudge(known, { judging: [], lanes: 4 })).toEqual([3])
  })
  it('cuts evenly what nobody looks at yet', () => {
    const unknown = (count: number): Known[] => Array.from({ length: count }, () => 'unknown')
    expect(toJudge(unknown(12), { judging: [], lanes: 2 })).toEqual([11, 5])
    expect(toJudge(unknown(12), { judging: [], lanes: 3 })).toEqual([11, 3, 7])
    expect(toJudge(unknown(12), { judging: [0], lanes: 1 })).toEqual([11])
    expect(toJudge([...unknown(11), 'red'], { judging: [], lanes: 2 })).toEqual([3, 7])
    expect(toJudge([...unknown(11), 'red'], { judging: [5], lanes: 2 })).toEqual([2, 8])
    expect(toJudge([...unknown(11), 'red'], { judging: [], lanes: 0 })).toEqual([])
  })
})
