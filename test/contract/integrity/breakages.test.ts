import { beforeAll, describe, expect, it } from 'vitest'
import { loadCodeReader } from '../../../src/adapters/code-ast-grep/code-reader.ts'
import { breakagesIn } from '../../../src/proof/breakage/breakages.ts'
import { withFailingFunctions } from '../../../src/proof/breakage/rewritten.ts'
import { type CodeReader, grammarOf } from '../../../src/proof/files/test-file.ts'

let code: CodeReader
beforeAll(async () => {
  code = await loadCodeReader()
})

const all = { lines: null, most: 50 }

it.each([
  [
    'a.js',
    "f = a ? g(':', b?.c ?? 1) : h({ i: 2 })",
    [
      "f = a ? g(':', b?.c ?? 1) : undefined",
      "f = a ? g(':', b?.c ?? undefined ) : h({ i: 2 })",
      'f = a ? undefined : h({ i: 2 })',
    ],
  ],
  [
    'a.ts',
    'const f: number = a ? 1 : b ? 2 : 3',
    [
      'const f: number = a ? 1 : b ? 2 : undefined',
      'const f: number = a ? 1 : b ? undefined : 3',
      'const f: number = a ? 1 : undefined',
      'const f: number = a ? undefined : b ? 2 : 3',
    ],
  ],
  [
    'a.js',
    'const f = known["a ??"] ?? (a ?? 1)',
    ['const f = known["a ??"] ?? (a ?? undefined )', 'const f = known["a ??"] ?? undefined'],
  ],
  ['a.py', 'f = known.get((a, b), a + 1)', ['f = known.get((a, b), None )']],
  ['a.py', 'f = g("if else") if a else (b or c)', ['f = None if a else (b or c)', 'f = g("if else") if a else None']],
])('breaks each side of a choice where that is asked for (%s)', (path, text, expected) => {
  const sides = (asked: { sides?: ('then' | 'else')[] }) =>
    breakagesIn(path, text, { ...all, code, ...asked }).filter(({ what }) => what.startsWith('what is given'))
  const made = sides({ sides: ['then', 'else'] }).map((one) => one.text.replace(/ +/g, ' ').trim())
  expect(made.toSorted()).toEqual(expected)
  expect(sides({})).toEqual([])
})

it.each([
  ['a.go', 'package a\n\nfunc f(a int) int {\n\tif a > 1 {\n\t\treturn 2\n\t} else {\n\t\treturn 3\n\t}\n}\n', [4, 6]],
  ['a.rs', 'fn f(a: i32) -> i32 {\n    if a > 1 { 2 } else { 3 }\n}\n', [2, 2]],
  [
    'a.rs',
    'fn f(a: i32) -> i32 {\n    match a {\n        1 => 2,\n        _ => g(a).unwrap_or(3),\n    }\n}\n',
    [4, 4],
  ],
  ['a.js', 'function f(a) {\n  if (a === 1) return 2\n  if (a > 3) {\n    return 4\n  } else throw g()\n}\n', [2, 3]],
  [
    'a.py',
    'def f(a):\n    if a > 1:\n        return 2\n    elif a:\n        raise g()\n    else:\n        return 3\n',
    [3, 7],
  ],
])('ends each side of a choice where types do not allow nothing (%s)', (path, text, lines) => {
  const broken = breakagesIn(path, text, { ...all, code, sides: [undefined, 'then', 'else'] }).filter(({ what }) =>
    what.startsWith('this side'),
  )
  expect(broken.map(({ line }) => line).sort()).toEqual(lines)
})

it('moves the edge between two sides where that is asked for', () => {
  const text = 'const f = a >= 50 && b < 3 ? 1 : 0\n'
  const made = breakagesIn('a.js', text, { ...all, code, sides: ['edge'] }).map((one) => one.text.trim())
  expect(made).toEqual(['const f = a > 50 && b < 3 ? 1 : 0', 'const f = a >= 50 && b <= 3 ? 1 : 0'])
})

const samples: Record<string, { text: string; whats: string[] }> = {
  'src/cart.js': {
    text: `import { rate } from './rate.js'
export const total = (items) => items.reduce((sum, one) => sum + one.price, 0)
export const names = (items) => items.map(nameOf)
// a < b and 1 + 1 are only words here
export function discount(sum) {
  if (sum >= 100 && rate > 0) return sum * 0.9
  log('no discount')
  return sum
}
`,
    whats: ['`+` became `-`', '`>=` became `<`', 'what is returned became undefined', 'the call log() was left out'],
  },
  'src/cart.ts': {
    text: `export type Pair<T> = { a: T; b: 1 }
export const isBig = (sum: number, list: Array<number>): boolean => sum > 100 && list.length === 0
export class Cart<T extends { n: number }> {
  open = true
  add(one: T): string { return \`\${one.n}\` + 'x' }
}
`,
    whats: ['`>` became `<=`', '`true` became `false`', 'what is returned became undefined'],
  },
  'src/view.tsx': {
    text: 'export const View = ({ n }: { n: number }) => <p className="big">{n > 1 ? <b>{n + 1}</b> : null}</p>\n',
    whats: ['`>` became `<=`', 'what is returned became undefined'],
  },
  'shop/cart.py': {
    text: `"""Carts < than others."""
from shop import rate

def total(items, start: int = 0) -> int:
    if not items and start == 0:
        return None
    audit("total")
    return sum(items) + start
`,
    whats: ['`==` became `!=`', '`and` became `or`', 'what is returned became None', 'the call audit() was left out'],
  },
  'cart/cart.go': {
    text: `package cart

import "strings"

type T struct { N *int \`json:"n"\` }

func Total(items []int) (sum int) {
	for i := 0; i < len(items); i++ {
		sum = sum + items[i]
	}
	if sum > 100 { return sum - 1 }
	return sum
}

func (t *T) Name() string { return strings.ToUpper("cart") }
`,
    whats: [
      '`+` became `-`',
      '`>` became `<=`',
      'the text "cart" became another',
      'the function ends before it begins',
    ],
  },
  'src/lib.rs': {
    text: `use std::collections::HashMap;

pub fn total<'a>(items: &'a [i64], rates: HashMap<String, i64>) -> i64 {
    let sum: i64 = items.iter().sum();
    if sum > 100 && !rates.is_empty() { return sum - 10; }
    sum + 1
}

#[cfg(test)]
mod tests {
    #[test]
    fn adds() { assert_eq!(1 + 1, 2); }
}
`,
    whats: ['`>` became `<=`', '`-` became `+`', '10 became 11', 'the function ends before it begins'],
  },
}

describe('small breakages', () => {
  it.each(Object.entries(samples))('of %s are valid by its grammar, and of every kind', (path, { text, whats }) => {
    const found = breakagesIn(path, text, { ...all, code })
    for (const one of found) {
      expect(code.nodes(grammarOf(path)!, one.text, ['ERROR']), one.text).toEqual([])
      expect(one.text).not.toBe(text)
    }
    const said = found.map(({ what }) => what)
    for (const what of whats)
      expect(
        said.some((one) => one.includes(what)),
        `${what} of ${said.join('\n')}`,
      ).toBe(true)
    expect(breakagesIn(path, text, { ...all, code })).toEqual(found)
  })

  it.each(Object.entries(samples))('of %s leave comments, imports, types and loops alone', (path, { text }) => {
    const same = (one: string, line: number, broken: string) => expect(broken.split('\n')[line], broken).toBe(one)
    const lines = text.split('\n')
    for (const { text: broken } of breakagesIn(path, text, { ...all, code }))
      for (const [index, line] of lines.entries())
        if (/^\s*(?:\/\/|"""|import\b|use\b|from\b|for\b|type\b|#\[)|assert/.test(line)) same(line, index, broken)
  })

  it('are made in the lines that are asked for, one in each before two in any, and no more than asked for', () => {
    const { text } = samples['src/cart.js']!
    const found = breakagesIn('src/cart.js', text, { lines: new Set([2, 6]), code, most: 3 })
    expect(found.map(({ line }) => line)).toEqual([6, 2, 6])
  })

  it('are made by lines where no grammar is there', () => {
    const found = breakagesIn('lib/cart.rb', 'def total(a)\n  a > 1 && a != 2 # 1 + 1\nend\n', { ...all, code: null })
    expect(found.map(({ what }) => what)).toEqual([
      '`>` became `<=`',
      '`&&` became `||`',
      '`!=` became `==`',
      '1 became 2',
      '2 became 3',
    ])
  })
})

it.each([
  [
    'src/a.js',
    'export const f = (a) => a.map((b) => b)\nexport function g() {\n  return 1\n}\nconst n = 1\n',
    "export const f = (a) => { throw new Error('broken'); }\nexport function g() { throw new Error('broken');\n  return 1\n}\nconst n = 1\n",
  ],
  [
    'a.py',
    'def f(a):\n    """Says."""\n    return a\n\n\ndef g(): return 1\n',
    'def f(a):\n    raise RuntimeError("broken")\n    """Says."""\n    return a\n\n\ndef g(): raise RuntimeError("broken"); return 1\n',
  ],
  [
    'a.go',
    'package a\n\nfunc init() { f() }\n\nfunc f() int {\n\treturn 1\n}\n',
    'package a\n\nfunc init() { f() }\n\nfunc f() int { panic("broken");\n\treturn 1\n}\n',
  ],
  [
    'src/a.rs',
    'pub const fn one() -> i64 { 1 }\npub fn f() -> i64 {\n    1\n}\n#[cfg(test)]\nmod tests {\n    fn g() {}\n}\n',
    'pub const fn one() -> i64 { 1 }\npub fn f() -> i64 { unimplemented!();\n    1\n}\n#[cfg(test)]\nmod tests {\n    fn g() {}\n}\n',
  ],
])('every function fails as soon as it is called: %s', (path, text, failing) => {
  expect(withFailingFunctions(path, text, { code })).toBe(failing)
  expect(withFailingFunctions(path, '\n', { code })).toBe(null)
})
