import { describe, expect, it } from 'vitest'
import { addressesIn } from './addresses.ts'

describe('addresses in a text', () => {
  it.each([
    ['See https://example.org/a?b=1#c.', ['https://example.org/a?b=1#c']],
    [
      '(as in http://example.org/x_(y)) and <https://example.org/z>',
      ['http://example.org/x_(y)', 'https://example.org/z'],
    ],
    ['[a](https://a.example/1), **https://b.example**', ['https://a.example/1', 'https://b.example']],
    ['| https://a.example/|b|, HTTP://A.example', ['https://a.example/', 'HTTP://A.example']],
    ['仕様は https://a.example/b。です', ['https://a.example/b']],
    ['https://a.example https://a.example', ['https://a.example']],
    ['https:// http://. ftp://a.example file:///etc/passwd xhttps://no.example', []],
  ])('%s', (text, addresses) => {
    expect(addressesIn(text)).toEqual(addresses)
  })

  it('are found in one that is long and hostile', () => {
    expect(addressesIn(`http://a${')'.repeat(20_000)}`)).toHaveLength(1)
    expect(addressesIn('http://a.example/ '.repeat(50_000))).toHaveLength(1)
  })
})
