import { describe, expect, it } from 'vitest'
import { fullDisk } from './full-disk.ts'
import { plain } from './walk.ts'

// Only root can give a home so much room and no more. The full matrix has forty places.
describe.runIf(process.getuid?.() === 0)('a home on a full disk', () => {
  it('loses nothing, says what is missing, and goes on when there is room', async () => {
    const { rows } = await fullDisk(plain, 5)
    expect(rows).toHaveLength(5)
    expect(rows.filter(({ problems }) => problems.length > 0)).toEqual([])
  })
})
