import { describe, expect, it } from 'vitest'
import { loadCodeReader } from '../../../src/adapters/code-ast-grep/code-reader.ts'
import type { Change } from '../../../src/proof/files/change.ts'
import { duplicateFindings } from '../../../src/proof/inspection/duplicates.ts'
import { changed, renamed } from '../../samples/change.ts'

const code = await loadCodeReader()

/** Of a change in a repository that has these other files. */
async function found(changes: Change[], others: Record<string, string> = {}): Promise<string[]> {
  const files = {
    list: async () => [...Object.keys(others), ...changes.map(({ path }) => path)],
    read: async (paths: readonly string[]) =>
      new Map(
        paths.flatMap((path) => (path in others ? [[path, new TextEncoder().encode(others[path])] as const] : [])),
      ),
  }
  const findings = await duplicateFindings(changes, { code, files })
  expect(findings.every(({ severity, rule }) => severity === 'suggestion' && rule === 'duplicate')).toBe(true)
  return findings.map(({ file, line, message }) => `${file}:${line} ${message}`)
}

const clamp = (name: string, a = 'value', b = 'low', c = 'high', head = `export function ${name}(${a}, ${b}, ${c})`) =>
  `${head} {
  // Never outside.
  if (${a} < ${b}) return Number(${b})
  if (${a} > ${c}) return Number(${c})
  return ${a}
}
`

const python = (name: string, item: string) => `def ${name}(${item}s):
    total = 0
    for ${item} in ${item}s:
        total = total + ${item}.price * ${item}.count
    return round(total, 2)
`
const go = (name: string, x: string) => `package a

func ${name}(${x} []int) int {
	sum := 0
	for _, one := range ${x} {
		sum = sum + one*one
	}
	return sum
}
`
const rust = (name: string, x: string) => `pub fn ${name}(${x}: &[i32]) -> i32 {
    let mut sum = 0;
    for one in ${x}.iter() {
        sum = sum + one * one;
    }
    sum
}
`

describe('a new symbol that does the same as an existing one', () => {
  it('is found in each language, under other names', async () => {
    const words = 'does the same as'
    expect(
      await found([changed('src/b.ts', null, clamp('limit', 'x', 'min', 'max'))], { 'src/a.js': clamp('clamp') }),
    ).toEqual([`src/b.ts:1 limit ${words} clamp in src/a.js:1: use that one`])
    expect(
      await found([changed('b.py', null, python('sum_up', 'one'))], { 'a.py': python('price_of', 'item') }),
    ).toEqual([`b.py:1 sum_up ${words} price_of in a.py:1: use that one`])
    expect(await found([changed('b/b.go', null, go('Squares', 'xs'))], { 'a/a.go': go('SumOf', 'numbers') })).toEqual([
      `b/b.go:3 Squares ${words} SumOf in a/a.go:3: use that one`,
    ])
    expect(await found([changed('b.rs', null, rust('squares', 'xs'))], { 'a.rs': rust('sum', 'numbers') })).toEqual([
      `b.rs:1 squares ${words} sum in a.rs:1: use that one`,
    ])
  })

  it('is found as an arrow function, as a class, and beside the original in one file', async () => {
    const arrow = (name: string, x: string) =>
      `export const ${name} = async (${x}) => {\n  const text = await load(${x}.path)\n  if (text === null) throw new Error(${x}.path)\n  return parse(text)\n}\n`
    expect(
      await found([changed('b.ts', null, arrow('fetchIt', 'it'))], { 'a.ts': arrow('read', 'file') }),
    ).toHaveLength(1)
    const whole = (name: string) =>
      `class ${name} {\n  items = []\n  add(item) {\n    this.items.push(item)\n    return this\n  }\n  size() {\n    return this.items.length\n  }\n}\n`
    expect(await found([changed('b.js', null, whole('Pile'))], { 'a.js': whole('Stack') })).toHaveLength(1)
    const both = clamp('clamp') + clamp('limit', 'x', 'y', 'z')
    expect(await found([changed('a.ts', clamp('clamp'), both)])).toEqual([
      'a.ts:7 limit does the same as clamp in a.ts:1: use that one',
    ])
  })
})

describe('no duplicate is', () => {
  const same = { 'src/a.ts': clamp('clamp') }

  it('what was moved or renamed', async () => {
    const moved = [changed('src/a.ts', clamp('clamp'), ''), changed('src/b.ts', null, clamp('clamp'))]
    expect(await found(moved)).toEqual([])
    expect(await found([renamed('src/a.ts', 'src/b.ts', clamp('clamp'))])).toEqual([])
    expect(await found([changed('src/b.ts', clamp('limit'), clamp('bound'))], {})).toEqual([])
  })

  it('what was there before, or is in tests, fixtures, examples and generated files', async () => {
    expect(await found([changed('src/b.ts', `${clamp('limit')}`, `${clamp('limit')}\n// more\n`)], same)).toEqual([])
    for (const path of ['test/b.test.ts', 'test/fixtures/b.ts', 'examples/b.ts', 'dist/b.js', 'src/b.d.ts'])
      expect(await found([changed(path, null, clamp('limit'))], same)).toEqual([])
    expect(await found([changed('src/b.ts', null, `// @generated\n${clamp('limit')}`)], same)).toEqual([])
    expect(await found([changed('src/b.ts', null, clamp('limit'))], { 'src/a.test.ts': clamp('clamp') })).toEqual([])
  })

  it('what uses other things, has other values, or is only short', async () => {
    const other = clamp('limit').replace('Number(low)', 'BigInt(low)')
    expect(await found([changed('src/b.ts', null, other)], same)).toEqual([])
    expect(await found([changed('src/b.ts', null, clamp('limit').replace('<', '<='))], same)).toEqual([])
    const short = (name: string) => `export function ${name}(a) {\n  return a + 1\n}\n`
    expect(await found([changed('src/b.ts', null, short('up'))], { 'src/a.ts': short('more') })).toEqual([])
    const get = (id: string) =>
      `export async function get${id}(id) {\n  const row = await db.one('${id}', id)\n  if (row === null) throw new Error('none')\n  return row\n}\n`
    expect(await found([changed('src/b.ts', null, get('User'))], { 'src/a.ts': get('Order') })).toEqual([])
  })

  it('what differs only after a sign that is no comment there', async () => {
    const held = (name: string, what: string) =>
      `export class ${name} {\n  #items = []\n  add(item) {\n    this.#items.push(item)\n    return this\n  }\n  take() {\n    return this.#items.${what}()\n  }\n}\n`
    expect(await found([changed('b.ts', null, held('Pile', 'pop'))], { 'a.ts': held('Queue', 'shift') })).toEqual([])
    const part = (name: string, by: string) => python(name, 'item').replace('item.count', `item.count // item.${by}`)
    expect(await found([changed('b.py', null, part('b', 'box'))], { 'a.py': part('a', 'crate') })).toEqual([])
  })

  it('a method, nor one of several variants for platforms', async () => {
    const init = (name: string, more: string) =>
      `class ${name}:\n    def __init__(self, one, two, three):\n        self.one = one\n        self.two = two\n        self.three = three\n\n    def ${more}(self):\n        return self.${more}\n`
    expect(await found([changed('b.py', null, init('B', 'one'))], { 'a.py': init('A', 'two') })).toEqual([])
    expect(
      await found([changed('open_darwin.go', null, go('Open', 'xs'))], { 'open_linux.go': go('Open', 'xs') }),
    ).toEqual([])
  })

  it('a function of another language that reads alike', async () => {
    expect(await found([changed('b.py', null, python('total', 'a'))], { 'a.go': go('SumOf', 'numbers') })).toEqual([])
  })
})

it('looks at a bounded number of files, the nearest first', async () => {
  const others = Object.fromEntries(
    Array.from({ length: 5_000 }, (_, n) => [`lib/p${n}/a.ts`, `export const n${n} = ${n}\n`]),
  )
  let read = 0
  const files = {
    list: async () => [...Object.keys(others), 'src/near/a.ts'],
    read: async (paths: readonly string[]) => {
      read = paths.length
      expect(paths[0]).toBe('src/near/a.ts')
      return new Map([['src/near/a.ts', new TextEncoder().encode(clamp('clamp'))]])
    },
  }
  const changes = [changed('src/near/b.ts', null, clamp('limit'))]
  expect(await duplicateFindings(changes, { code, files })).toHaveLength(1)
  expect(read).toBe(3_000)
})
