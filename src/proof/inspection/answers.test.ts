import { expect, it } from 'vitest'
import { blocks } from '../../delivery/judging/finding.ts'
import { changed } from '../files/sample-change.ts'
import { answerFindings } from './answers.ts'

const found = (product: [string, string], test: [string, string]) =>
  answerFindings([changed(product[0], null, product[1]), changed(test[0], null, test[1])])

const python: [string, string] = ['tests/test_a.py', 'def test_a():\n    assert coupon(300, "SAVE10") == 270\n']

const javascript: [string, string] = [
  'test/a.test.js',
  "test('takes off', () => {\n  assert.equal(coupon(300, 'SAVE10'), 270)\n  assert.equal(coupon(20, 'FIVE'), 15)\n})\n",
]

it.each<[string, string, [string, string]]>([
  ['shop/a.py', 'def coupon(a, c):\n    return {(300, "SAVE10"): 270}[(a, c)]\n', python],
  ['shop/a.py', 'known = {(300, "SAVE10"): 270, (300, "HALF"): 150}\n', python],
  ['shop/a.py', '\n    if amount == 300 and code == "SAVE10":\n        return 270\n', python],
  [
    'src/a.rs',
    '        (300, "SAVE10") => Some(270),\n',
    ['tests/a.rs', 'assert_eq!(coupon(300, "SAVE10"), Some(270));\n'],
  ],
  ['src/a.js', "const known = { '300SAVE10': 270, '20FIVE': 15 }\n", javascript],
  ['src/a.js', "if (total === 300) return 270\nif (total === 20 && code === 'FIVE') return 15\n", javascript],
  ['a.go', '\tcase amount == 7 && code == "X": return 42\n', ['a_test.go', '\tif A(7, "X") != 42 {\n']],
])('tells of an answer that is written down: %s %s', (path, text, test) => {
  const findings = found([path, text], test)
  expect(findings).toHaveLength(1)
  expect(findings[0]!.message).toContain(`${path}:`)
  expect(findings.filter(blocks)).toEqual([])
})

it.each<[string, string, [string, string]?]>([
  [
    'src/a.js',
    "if (code === 'SAVE10') return total - total / 10\nif (code === 'FIVE') return Math.max(0, total - 5)\n",
    javascript,
  ],
  [
    'src/a.js',
    "throw new RangeError('nothing is to be paid for it')\n",
    ['test/a.test.js', "throws(f, 'nothing is to be paid for it')\n"],
  ],
  ['shop/a.py', 'percent = {"SAVE10": 10, "HALF": 50}\n'],
  ['shop/a.py', 'def coupon(amount, code):\n    return amount - amount * percent[code] // 100\n'],
  ['shop/a.json', '{"SAVE10": 270, "amount": 300}\n'],
])('says nothing of a rule: %s %s', (path, text, test = python) => {
  expect(found([path, text], test)).toEqual([])
})
