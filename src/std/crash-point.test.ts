import { describe, expect, it } from 'vitest'
import { crashPoints, withCrashPoints } from './crash-point.ts'

const recording = (wanted: string | undefined) => {
  let deaths = 0
  const reach = crashPoints(wanted, () => {
    deaths += 1
  })
  return { reach, deaths: () => deaths }
}

describe('crashPoints', () => {
  it('dies once, at the named moment and time', () => {
    const { reach, deaths } = recording('after:StoryCoded:2')
    reach('after:StoryCoded')
    reach('before:StoryCoded')
    expect(deaths()).toBe(0)
    reach('after:StoryCoded')
    expect(deaths()).toBe(1)
    reach('after:StoryCoded')
    expect(deaths()).toBe(1)
  })

  it('does nothing when nothing is wanted', () => {
    const { reach, deaths } = recording(undefined)
    reach('')
    expect(deaths()).toBe(0)
  })
})

describe('withCrashPoints', () => {
  it('reaches a point before and after each call, and keeps results', async () => {
    const seen: string[] = []
    const inner = { n: 2, land: async (by: number) => by * 2 }
    const wrapped = withCrashPoints('repository', inner, (point) => seen.push(point))
    expect(wrapped.n).toBe(2)
    expect(await wrapped.land(4)).toBe(8)
    expect(seen).toEqual(['repository.land:before', 'repository.land:after'])
  })
})
