import { expect, it } from 'vitest'
import type { Given } from './given.ts'

export function keepsPlaces(given: Given): void {
  it('keeps the newest snapshot of each shape', async () => {
    expect(await given.log.loadSnapshot('d1', 'a')).toBeNull()
    await given.log.saveSnapshot('d1', 5, 'a', 'five')
    await given.log.saveSnapshot('d1', 3, 'a', 'three')
    await given.log.saveSnapshot('d1', 9, 'b', 'nine')
    expect(await given.log.loadSnapshot('d1', 'a')).toEqual({ version: 5, state: 'five' })
    await given.log.saveSnapshot('d1', 6, 'a', 'six')
    expect(await given.log.loadSnapshot('d1', 'a')).toEqual({ version: 6, state: 'six' })
    expect(await given.log.loadSnapshot('d2', 'a')).toBeNull()
  })

  it('keeps a cursor for each listener', async () => {
    expect(await given.log.cursor('l1')).toBe(0)
    await given.log.moveCursor('l1', 7)
    await given.log.moveCursor('l2', 3)
    await given.log.moveCursor('l1', 8)
    expect([await given.log.cursor('l1'), await given.log.cursor('l2')]).toEqual([8, 3])
  })
}
