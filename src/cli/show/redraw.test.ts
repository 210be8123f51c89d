import { describe, expect, it } from 'vitest'
import { bold, fittedLine, lineWidth, rendered } from './line.ts'
import { openRedraw, type Screen } from './screen.ts'

function fakeTerminal(columns: number, rows: number) {
  const size = { columns, rows }
  let written = ''
  const screen = {
    colour: false,
    size: () => size,
    write: (text: string) => {
      written += text
    },
  } as unknown as Screen
  const taken = () => {
    const text = written
    written = ''
    return text
  }
  return { screen, size, taken }
}

describe('openRedraw', () => {
  it('goes back over exactly what it drew', () => {
    const { screen, taken } = fakeTerminal(80, 24)
    const redraw = openRedraw(screen)
    redraw.draw(['one', 'two'])
    expect(taken()).toBe('one\x1b[K\ntwo\x1b[K\n\x1b[J')
    redraw.draw(['three'])
    expect(taken()).toBe('\x1b[2A\rthree\x1b[K\n\x1b[J')
  })

  it('counts the rows that its lines take after the terminal became narrower', () => {
    const { screen, size, taken } = fakeTerminal(80, 24)
    const redraw = openRedraw(screen)
    redraw.draw(['x'.repeat(70), 'short'])
    taken()
    size.columns = 40
    redraw.draw(['y'])
    expect(taken()).toMatch(/^\x1b\[3A\r/)
  })

  it('never draws a line that would wrap, nor more than fits', () => {
    const { screen, taken } = fakeTerminal(40, 5)
    openRedraw(screen).draw(Array.from({ length: 20 }, () => '日本'.repeat(40)))
    const lines = taken().split('\n').slice(0, -1)
    expect(lines).toHaveLength(4)
    for (const line of lines) expect(lineWidth(line.replace('\x1b[K', ''))).toBeLessThan(40)
  })

  it('begins below what was left standing', () => {
    const { screen, taken } = fakeTerminal(80, 24)
    const redraw = openRedraw(screen)
    redraw.draw(['one'])
    redraw.leave()
    taken()
    redraw.draw(['two'])
    expect(taken().startsWith('two')).toBe(true)
  })
})

describe('rendered', () => {
  it('paints only what was made harmless', () => {
    expect(rendered([bold('a\x1b[2Jb'), '\x1b]0;t\x07c'], true)).toBe('\x1b[1mab\x1b[22mc')
    expect(rendered([bold('ab')], false)).toBe('ab')
  })
})

describe('fittedLine', () => {
  it('cuts across spans and keeps to one row', () => {
    expect(rendered(fittedLine([bold('abc\n'), 'defgh'], 6), false)).toBe('abc d…')
  })
})
