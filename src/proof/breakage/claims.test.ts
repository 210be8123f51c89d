import { describe, expect, it } from 'vitest'
import { bentClaims, isCutOff, toldIn } from './claims.ts'

const bent = (text: string, turn = 0) => bentClaims(text, turn, new Set(text.split('\n')))
const failure = (error: string, stack = '') => ({ file: null, line: null, test: 'adds', error, stack })

describe('a claim that says something else', () => {
  it.each([
    ['  assert.equal(total([{ price: 100, qty: 3 }]), 300)', '  assert.equal(total([{ price: 100, qty: 3 }]), 301)'],
    ['  expect(show(1205)).toBe("12.05 EUR")', '  expect(show(1205)).toBe("12.05 EURx")'],
    ['    assert total([(100, 3)]) == 300', '    assert total([(100, 3)]) == 301'],
    ['        self.assertEqual(total([(100, 3)]), 9)', '        self.assertEqual(total([(100, 3)]), 0)'],
    ['\tif got := Total(3); got != 300 {', '\tif got := Total(3); got != 301 {'],
    ['    assert_eq!(total(3), 300);', '    assert_eq!(total(3), 301);'],
  ])('is made of %s', (line, other) => expect(bent(line)?.text).toBe(other))

  it.each([
    'assert.ok(total(items) > 300)',
    'assert total(items) == 300 or broken',
    'expect(total(items)).toBeCloseTo(3.5)',
    'assert.notEqual(total(items), 300)',
    'const items = [{ price: 100 }]',
    'assert "300" in text',
  ])('is not made of what may hold for other results: %s', (line) => expect(bent(line)).toBeNull())

  it('is bent wherever its line stands, as on the base', () => {
    const text = 'func TestA(t *testing.T) {\n\tif f("abc") != nil {\n\tif f("abc") != nil {\n'
    const found = bent(text)
    expect(found?.text).toBe(text.replaceAll('abc', 'abcx'))
    expect(found?.text).toBe(
      text
        .split('\n')
        .map((line) => found?.lines.get(line) ?? line)
        .join('\n'),
    )
  })

  it('is one of each test at a time, and none of a line that is new', () => {
    const text =
      "test('a', () => {\n  equal(f(1), 11)\n  equal(f(2), 22)\n})\ntest('b', () => {\n  equal(f(3), 33)\n})\n"
    expect(bent(text)?.said.map(({ result }) => result)).toEqual(['11', '33'])
    expect(bent(text, 1)?.said).toEqual([{ result: '22', line: expect.stringContaining('22') }])
    expect(bentClaims(text, 0, new Set(['  equal(f(3), 33)']))?.said.map(({ result }) => result)).toEqual(['33'])
  })
})

describe('a failure', () => {
  it('tells of a result that stands in it as a word', () => {
    expect(toldIn(failure('350 !== 351', '350'), '350')).toBe('error')
    expect(toldIn(failure('failed', '350 !== 351'), '350')).toBe('stack')
    expect(toldIn(failure('150 !== 351', 'at cart.test.js:350:3'), '350')).toBeNull()
    expect(toldIn(failure('1350 !== 351'), '350')).toBeNull()
    expect(toldIn(failure('assert 350.0 == 351'), '350')).toBe('error')
    expect(toldIn(failure("'12.05 EUR' !== '12.05 EURx'"), '12.05 EUR')).toBe('error')
    expect(toldIn(failure("'12 EUR' !== '12.05 EURx'"), '12.05 EUR')).toBeNull()
  })

  it('that is cut off may tell of more', () => expect(isCutOff(failure('[1, 2, ...] !== 3'))).toBe(true))
})
