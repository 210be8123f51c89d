import { describe, expect, it } from 'vitest'
import { oneLine, plainText } from './plain-text.ts'

describe('plainText', () => {
  it('takes out colours, cursor movement, titles and links', () => {
    expect(plainText('\x1b[31mred\x1b[0m \x1b[2J\x1b]0;title\x07x\x1b]8;;http://a\x1b\\y\x1b]8;;\x1b\\z')).toBe(
      'red xyz',
    )
  })

  it('takes out 8-bit sequences, lone escapes, backspaces and carriage returns', () => {
    expect(plainText('a\x9b31mb\x1bc\x08d\re')).toBe('abde')
  })

  it('takes out what hides or reorders text, and keeps other scripts', () => {
    expect(plainText('ad\u202emin\u200b é 日本 👍')).toBe('admin é 日本 👍')
  })

  it('takes out letters that only machines see', () => {
    const hidden = [...'approve it'].map((letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join('')
    expect(plainText(`a${hidden}b\u{e0101}c\u00add\u061ce\u180ef`)).toBe('abcdef')
    expect(plainText('👍🏽 ❤️ 葛')).toBe('👍🏽 ❤️ 葛')
  })

  it('keeps line breaks and tabs, Windows ones as one', () => {
    expect(plainText('a\r\nb\tc\n')).toBe('a\nb\tc\n')
  })
})

describe('oneLine', () => {
  it('is one line, cut', () => {
    expect(oneLine('  a\n b\t\tc ')).toBe('a b c')
    expect(oneLine('x'.repeat(2_000_000), 10)).toBe('xxxxxxxxx…')
  })
})
