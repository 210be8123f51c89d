import { writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { inOrder, killedAt, type Row, undisturbed } from './matrix.ts'
import { pointsOf } from './points.ts'
import { report } from './report.ts'
import type { End } from './walk.ts'

const full = process.env.ROPEWALK_KILL_MATRIX === 'full'

/** One of each kind; the full matrix has them all. */
const chosen = [
  'started:CodeStory:2',
  'plan:after-agent',
  'code:after-ref',
  'before:Judged:3',
  'repository.moveRef:after:2',
  'land:after',
]

describe('killed with -9 at a named moment and resumed', () => {
  it.runIf(!full)('it comes to the same end', async () => {
    const calm = await undisturbed()
    const rows = await inOrder(chosen, 2, (point) => killedAt(point, calm))
    expect(rows.map((row, index) => row ?? `${chosen[index]} was never reached`)).toEqual(
      chosen.map((point) => ({ point, turns: expect.any(Number), problems: [] })),
    )
  })

  it.runIf(full)('it comes to the same end, wherever that is', { timeout: 3_600_000 }, async () => {
    const calm = await undisturbed()
    const points = pointsOf(calm.events)
    const rows = (await inOrder(points, 2, ({ name, most }) => everyTime(name, most, calm))).flat()
    const unreached = points
      .map(({ name }) => name)
      .filter((name) => !rows.some((row) => row.point.startsWith(`${name}:`)))
    console.log(report(rows, { unreached, calm }))
    writeFileSync('docs/kill-matrix.md', report(rows, { unreached, calm }))
    expect(rows.length).toBeGreaterThan(80)
    expect(rows.filter((row) => row.problems.length > 0)).toEqual([])
  })
})

async function everyTime(name: string, most: number, calm: End): Promise<Row[]> {
  const rows: Row[] = []
  for (let time = 1; time <= most; time++) {
    const row = await killedAt(`${name}:${time}`, calm)
    if (row === null) break
    rows.push(row)
  }
  return rows
}
