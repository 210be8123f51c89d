import { writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { End } from './end.ts'
import { fullDisk } from './full-disk.ts'
import { judged, judgedRows } from './judged.ts'
import { inOrder, killedAt, type Row, undisturbed } from './matrix.ts'
import { pointsOf } from './points.ts'
import { page, section } from './report.ts'
import { plain, rebased, troubled, type Walk } from './walk.ts'

const full = process.env.ROPEWALK_KILL_MATRIX === 'full'

/** One of each kind, several for each delivery; the full matrix has them all, each alone. */
const chosen: [walk: Walk, deliveries: string[][]][] = [
  [
    plain,
    [
      ['code:after-ref', 'repository.moveRef:after:2', 'land:after'],
      ['plan:after-agent', 'started:CodeStory:2', 'before:Judged:3'],
    ],
  ],
  [
    rebased,
    [
      ['repository.harvest:after', 'repository.compose:after:2', 'land:after'],
      ['compose:after-ref', 'repository.addNotes:before'],
    ],
  ],
  [troubled, [['after:QuestionAsked', 'before:ComposeConflicted', 'before:LandingRefused']]],
]

describe('killed with -9 at named moments and resumed', () => {
  it.runIf(!full).each(chosen)('it comes to the same end (%#)', async (walk, deliveries) => {
    const calm = await undisturbed(walk)
    const kills = deliveries.map((points) => points.map((point, index) => ({ point, all: index % 2 === 1 })))
    const rows = await inOrder(kills, 2, (each) => killedAt(each, { walk, calm }))
    expect(paidInVain(rows, calm)).toEqual([])
    expect(rows.map((row, index) => row ?? `${deliveries[index]} was not reached`)).toEqual(
      deliveries.map(([first]) => ({
        point: expect.stringContaining(first!),
        turns: expect.any(Number),
        problems: [],
      })),
    )
  })

  it.runIf(full)('it comes to the same end, wherever that is', { timeout: 7_200_000 }, async () => {
    const first = await matrix(plain, () => true)
    // Of the troubled walk, what is its own: the rest is the same as before.
    const second = await matrix(troubled, (name) => first.unreached.includes(name) || merging.test(name))
    const unreached = first.unreached.filter((name) => second.unreached.includes(name))
    const [free, confined] = [
      await judgedRows(judged('none'), () => true),
      await judgedRows(judged('bwrap'), () => true),
    ]
    const cramped = await fullDisk(plain, 40)
    const rows = [first, second, free, confined, cramped].flatMap((one) => one.rows)
    const sections = [
      section('The plain walk', first),
      section('The troubled walk', second),
      section('The judged walk, unconfined', free),
      section('The judged walk, confined', confined),
      section('The plain walk in a home with so much room', cramped),
    ]
    const text = page(rows, sections, unreached)
    writeFileSync('docs/kill-matrix.md', text)
    expect(rows.length).toBeGreaterThan(150)
    expect(rows.filter((row) => row.problems.length > 0)).toEqual([])
    expect(paidInVain(first.rows, first.calm)).toEqual([])
  })
})

/** Once its work is kept, or its outcome on record, a turn is never paid again. */
const paidInVain = (rows: (Row | null)[], { turns }: End): (Row | null)[] =>
  rows.filter(
    (row) => row !== null && /^(?:code:after-ref|before:StoryCoded|after:)/.test(row.point) && row.turns > turns,
  )

const merging = /compose|land|advance|fetchTarget/i

async function matrix(
  walk: Walk,
  wanted: (name: string) => boolean,
): Promise<{ rows: Row[]; unreached: string[]; calm: End }> {
  const calm = await undisturbed(walk)
  const points = pointsOf(calm.events).filter(({ name }) => wanted(name))
  const rows = (await inOrder(points, 2, ({ name, most }) => everyTime(name, most, { walk, calm }))).flat()
  const unreached = points
    .map(({ name }) => name)
    .filter((name) => !rows.some(({ point }) => point.startsWith(`${name}:`)))
  return { rows, unreached, calm }
}

async function everyTime(name: string, most: number, { walk, calm }: { walk: Walk; calm: End }): Promise<Row[]> {
  const rows: Row[] = []
  for (let time = 1; time <= most; time++) {
    const all = (name.length + time) % 2 === 0
    const row = await killedAt([{ point: `${name}:${time}`, all }], { walk, calm })
    if (row === null) break
    console.log(`${row.point}: ${row.problems.join('; ') || 'same'}`)
    rows.push(row)
  }
  return rows
}
