import { describe, expect, it } from 'vitest'
import { judged, judgedRows } from './judged.ts'

describe('killed while a judge runs something', () => {
  // The full matrix has every run of every judge.
  it.each([
    ['none', ['related:test', 'witness try-1']],
    ['bwrap', ['guard:test guard', 'sensitivity commit-0']],
  ] as const)('it comes to the same end, and nothing is left (sandbox: %s)', async (sandbox, wanted) => {
    const { rows, calm } = await judgedRows(judged(sandbox), (run) => wanted.some((name) => name === run))
    expect(rows).toEqual(
      wanted.map((name) => ({ point: expect.stringContaining(name), turns: calm.turns, problems: [] })),
    )
  })
})
