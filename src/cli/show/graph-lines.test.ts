import { describe, expect, it } from 'vitest'
import { says } from '../../../test/simulation/endings.ts'
import { approval, objection, remark } from '../../../test/simulation/judgement-sample.ts'
import { reviewing } from '../../../test/simulation/reviewing.ts'
import { fold, policy, requested, story } from '../../../test/simulation/sample.ts'
import type { ReviewWord } from '../../delivery/review/review.ts'
import { statusView, waitsOf } from '../../views/status.ts'
import { waitingLines } from '../answer/inbox.ts'
import { graphLines } from './delivery-lines.ts'
import { fittedLine, rendered, table } from './line.ts'

const drawn = (ids: string[], size: { columns: number; rows: number }): string[] => {
  const state = fold(
    requested(
      policy(),
      ids.map((id) => story(id)),
    ),
  )
  return graphLines(statusView(state, 0), 0, { ...size, pulses: [] }).map((line) =>
    rendered(fittedLine(line, size.columns - 1), false),
  )
}

describe('graphLines', () => {
  it('has a line for the delivery and one for each story', () => {
    expect(drawn(['a', 'bb'], { columns: 80, rows: 24 })).toEqual([
      'Make it so  working  0s  $0',
      '○ a     waiting    to be coded',
      '○ bb    waiting    to be coded',
    ])
  })

  it('says what is waited for', () => {
    const state = fold(requested(policy(), [story('a')]))
    state.parked.land = { until: 90_000, reason: '/r/.git/index.lock is in the way', try: 2 }
    const lines = (at: number) => {
      const drawing = graphLines(statusView(state, at), at, { columns: 120, rows: 24, pulses: [] })
      return drawing.map((line) => rendered(line, false)).join('\n')
    }
    expect(lines(60_000)).toMatch(/waiting, tries again at \d\d:\d\d.*: \/r\/.git\/index.lock is in the way/)
    expect(lines(90_000)).not.toContain('waits, looks')
    const inbox = waitingLines([{ delivery: state.id, waits: waitsOf(state, 60_000) }], 60_000).map((line) =>
      rendered(line, false),
    )
    expect(inbox).toEqual(['d', expect.stringContaining('index.lock')])
  })

  it('shows the word of every story at 40 columns, however long its id', () => {
    const lines = drawn(['a-very-long-name-for-a-small-story', 'b'], { columns: 40, rows: 24 })
    expect(lines.slice(1).every((line) => line.length < 40 && line.includes('waiting'))).toBe(true)
  })

  it('marks what was reviewed by what reviewers made of it', () => {
    const of = (word: ReviewWord) => {
      const { state } = reviewing().run({ ReviewStory: says(word) })
      return rendered(graphLines(statusView(state, 0), 0, { columns: 80, rows: 24, pulses: [] })[1]!, false)
    }
    expect(of(approval)).toMatch(/^✔ review/)
    expect(of(objection([remark('leaks')]))).toMatch(/^✘ review/)
  })

  it('sums up what does not fit', () => {
    const lines = drawn(
      Array.from({ length: 100 }, (_, i) => `s${i}`),
      { columns: 80, rows: 20 },
    )
    expect(lines.length).toBeLessThan(20)
    expect(lines.at(-1)).toMatch(/… and 89 waiting/)
  })
})

const tabled = (rows: string[][]): string[] => table(rows).map((line) => rendered(line, false))

describe('table', () => {
  it('aligns its columns', () => {
    expect(
      tabled([
        ['a', 'b'],
        ['ccc', 'd'],
      ]),
    ).toEqual(['a    b', 'ccc  d'])
  })

  it('lets a cell that is far too long push only its own row', () => {
    const long = 'x'.repeat(60)
    expect(
      tabled([
        ['a', 'b'],
        [long, 'd'],
      ]),
    ).toEqual(['a  b', `${long}  d`])
  })
})
