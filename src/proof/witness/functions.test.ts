import { expect, it } from 'vitest'
import { functionsIn, linesOfSame } from './functions.ts'

it.each<[string, string, [name: string, line: number, until: number][]]>([
  [
    'JavaScript',
    "import a from 'a'\nexport const one = (a, b) => a + b\nconst table = [1]\nexport async function two() {\n  return 1\n}\n\nclass Three {\n  four() {}\n}\n",
    [
      ['one', 2, 2],
      ['two', 4, 6],
    ],
  ],
  ['TypeScript', 'export const one = (a: number): number =>\n  a + 1\n\nexport type Two = string\n', [['one', 1, 2]]],
  ['Python', 'def one(a):\n    b = a\n\n    return b\n\n\nexamples = [one(1)]\n', [['one', 1, 4]]],
  [
    'Go',
    'func One(a int) int {\n\treturn a\n}\n\nfunc (s *Shop) Two() int {\n\treturn 1\n}\n',
    [
      ['One', 1, 3],
      ['Two', 5, 7],
    ],
  ],
  ['Rust', 'pub fn one(a: i64) -> i64 {\n    a\n}\n', [['one', 1, 3]]],
])('finds the functions of %s', (_, text, found) => {
  expect(functionsIn(text).map(({ name, line, until }) => [name, line, until])).toEqual(found)
})

it('finds the lines of the same function in a later version', () => {
  const before = 'def one(a):\n    return a\n\ndef two(a):\n    return 2\n'
  const after = 'import os\n\ndef two(a):\n    b = a\n    return b\n'
  expect(linesOfSame(before, 5, after)).toEqual(new Set([3, 4, 5]))
  expect(linesOfSame(before, 2, after)).toBeNull()
})
