import { array, assert, constantFrom, integer, property, string } from 'fast-check'
import { expect, it } from 'vitest'
import { openRedactor } from './redaction.ts'

// Put together, so that no scanner takes this file for a leak.
const of = (...parts: string[]): string => parts.join('')

const spanning = 'first line of it\nsecond line\nfirst line of it\nlast'
const environment = { MY_TOKEN: 'hunter2-größe', OTHER_SECRET: 'hunter2-größe and more', A_PASSWORD: spanning }
const key = of('-----BEGIN ', 'PRIVATE KEY-----\n', `${'A'.repeat(64)}\n`.repeat(3), '-----END ', 'PRIVATE KEY-----')
const github = of('ghp_', 'R7uk2vQ9xLm4TnWc8ZpYdE6hGfJ1sAo3bNq5')
const secrets = [...Object.values(environment), key, github]

const passed = (text: string, sizes: number[]): Buffer => {
  const stream = openRedactor(environment).stream()
  const bytes = Buffer.from(text)
  const told: Buffer[] = []
  for (let at = 0, n = 0; at < bytes.length; n++) {
    const size = sizes[n % sizes.length] ?? bytes.length
    told.push(stream.add(bytes.subarray(at, at + size)))
    at += size
  }
  return Buffer.concat([...told, stream.end()])
}

const piece = constantFrom(
  ...secrets,
  ...[key.slice(0, 60), spanning.slice(0, 30), 'first line of it\n', 'hunter2-', 'größe', ' and more'],
  ...['\n', '\n\n', ' ', '"', 'Authorization: ', 'abcdefghijklmnop', 'https://user:', 'p%20w', '@example.com', '\r\n'],
)

it('tells the same of a text in pieces, wherever they are cut, as of the whole', () => {
  const { redact } = openRedactor(environment)
  assert(
    property(array(piece, { maxLength: 30 }), array(integer({ min: 1, max: 40 }), { minLength: 1 }), (parts, sizes) => {
      const text = parts.join('')
      expect(passed(text, sizes).toString()).toBe(redact(text))
    }),
    { seed: 12, numRuns: 2_000 },
  )
})

it('lets no secret through in lines without an end, and nothing else is lost', () => {
  const filler = string({ minLength: 1, maxLength: 3, unit: constantFrom('x', 'é', ',') }).map((one) =>
    one.repeat(9_000),
  )
  const parts = array(constantFrom(...secrets), { minLength: 1, maxLength: 12 })
  assert(
    property(parts, array(filler, { minLength: 1 }), integer({ min: 500, max: 70_000 }), (found, fillers, size) => {
      const pieces = found.map((secret, n) => [`${fillers[n % fillers.length]} `, secret, ' '])
      const told = passed(pieces.flat().join(''), [size]).toString()
      expect(told).toBe(pieces.map(([before, , after]) => `${before}[redacted]${after}`).join(''))
    }),
    { seed: 12, numRuns: 60 },
  )
})

it('tears no secret apart where a line without an end has to be cut', () => {
  // In a chunk of 64 KiB that is 48 KiB from its beginning; so one lies across it.
  for (let at = 48 * 1024 - github.length - 2; at < 48 * 1024 + 2; at++) {
    const [before, after] = [`${'x'.repeat(at - 1)} `, ` ${'y'.repeat(100_000)}`]
    expect(passed(`${before}${github}${after}`, [64 * 1024]).toString() === `${before}[redacted]${after}`).toBe(true)
  }
})

it('tells each line as soon as it is whole', () => {
  const stream = openRedactor(environment).stream()
  const told = (text: string): string => stream.add(Buffer.from(text)).toString()
  expect(told('one\nhunter2')).toBe('one\n')
  expect(told('-größe')).toBe('')
  expect(told(' two\nfirst line of it\nsec')).toBe('[redacted] two\n')
  expect(told('ret\n')).toBe('first line of it\nsecret\n')
  expect(told(key)).toBe('')
  expect(told('\nlast')).toBe('[redacted]\n')
  expect(stream.end().toString()).toBe('last')
})

it('holds little, whatever comes: a line without an end, one word, a key without an end', () => {
  const begun = key.slice(0, 60)
  for (const text of ['x', 'a b,', github, `${begun} `, `${begun}\n`, `${begun}\nline\n`, 'first line of it\n']) {
    const stream = openRedactor(environment).stream()
    const chunk = Buffer.from(text.repeat(Math.ceil(50_000 / text.length)))
    const told = Array.from({ length: 20 }, () => stream.add(chunk).length)
    expect(Math.max(...told)).toBeGreaterThan(0)
    expect(stream.end().length).toBeLessThan(70_000)
  }
})

it('leaves alone what is no text', () => {
  const bytes = Buffer.from(Array.from({ length: 256 }, (_, n) => n))
  const stream = openRedactor(environment).stream()
  expect(Buffer.concat([stream.add(bytes), stream.end()])).toEqual(bytes)
})

it('knows what is learned while it runs', () => {
  const redactor = openRedactor({})
  const stream = redactor.stream()
  stream.add(Buffer.from('later-'))
  redactor.learn('NEW_TOKEN=later-known-value')
  expect(stream.add(Buffer.from('known-value\n')).toString()).toBe('[redacted]\n')
})
