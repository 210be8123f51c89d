import { describe, expect, it } from 'vitest'
import { bold, lineWidth, rendered, type ShownLine, wrapped } from './line.ts'
import { openScreen } from './screen.ts'

const rows = (line: ShownLine, columns: number) => wrapped(line, columns).map((row) => rendered(row, false))

describe('a line on a narrow terminal', () => {
  it('is broken between words, and goes on a little deeper', () => {
    expect(rows('  one two three four', 12)).toEqual(['  one two', '    three', '    four'])
    expect(rows(['  ', bold('name'), '   two three'], 40)).toEqual(['  name   two three'])
  })

  it('keeps a word of several styles, and one that is too long, in one piece', () => {
    expect(rows(['one ', bold('tw'), 'o'], 6)).toEqual(['one', '  two'])
    expect(rows('see https://example.org/long now', 10)).toEqual(['see', '  https://example.org/long', '  now'])
  })

  it('keeps words of one style together', () => {
    expect(wrapped(['a ', bold('b c'), ' d'], 40)).toEqual([['a ', bold('b c'), ' d']])
  })

  it('keeps its own breaks, empty lines and wide characters', () => {
    expect(rows('', 10)).toEqual([''])
    expect(rows('a\n\n  b c', 4)).toEqual(['a', '', '  b', '  c'])
    for (const row of wrapped('日本 日本 日本 日本', 10)) expect(lineWidth(row)).toBeLessThanOrEqual(10)
  })
})

describe('a screen', () => {
  const printed = (stream: { isTTY?: boolean; columns?: number }) => {
    let text = ''
    const stdout = { ...stream, write: (given: string) => (text += given) } as unknown as NodeJS.WriteStream
    const screen = openScreen({ stdin: {}, stdout, stderr: stdout, env: { NO_COLOR: '1' } }, false)
    screen.print('one two three')
    screen.warn('four five six')
    return text
  }

  it('wraps only on a terminal, at its width', () => {
    expect(printed({ isTTY: true, columns: 9 })).toBe('one two\n  three\nfour five\n  six\n')
    expect(printed({ isTTY: true, columns: 0 })).toBe('one two three\nfour five six\n')
    expect(printed({ columns: 9 })).toBe('one two three\nfour five six\n')
  })
})
