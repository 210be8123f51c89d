// Honest work: a repository with tests, and a story that adds a function with its own.
import { type Chain, fill, type Product, type Style, type Tree } from './chains.ts'

export interface Work {
  chain: Chain
  style: Style
  check: string
  there: Product
  added: Product
  base: Tree
  /** The files of the story done well. */
  done: Tree
  /** What breaks a function that was there. */
  broken: Tree
}

const product = (name: string, code: string, wrong: string): Product => {
  const right = new Function('a', 'b', `return ${code}`)
  const off = new Function('a', 'b', `return ${wrong}`)
  const pairs = [
    [7, 3],
    [12, 5],
  ] as const
  return { name, code, wrong, calls: pairs.map(([a, b]) => ({ a, b, right: right(a, b), wrong: off(a, b) })) }
}

const known = [
  product('sum', 'a + b', 'a - b'),
  product('cents', 'a * 100 + b', 'a * 10 + b'),
  product('minutes', 'a * 60 + b', 'a * 60 - b'),
  product('change', 'a - b', 'b - a'),
  product('perimeter', '2 * (a + b)', '2 * a + b'),
]
const wanted = [
  product('multiply', 'a * b', 'a + b'),
  product('dozens', 'a * 12 + b', 'a * 10 + b'),
  product('inches', 'b + a * 12', 'b + a'),
  product('seats', '(a + 1) * (b + 1)', '(a + 1) * b'),
]

export interface Choice {
  chain: Chain
  style: Style
  /** Which of the ways to start the tests. */
  start: number
  story: number
}

export function workOf({ chain, style, start, story }: Choice): Work {
  const there = known[story % known.length]!
  const added = wanted[story % wanted.length]!
  const other = product('twice', 'a * 2 + b * 0', 'a')
  const base = {
    ...chain.frame,
    ...(style === 'helper' ? { [chain.support]: chain.helper } : {}),
    ...(style === 'fixture' ? { [chain.fixture]: tableOf(chain, there) } : {}),
    [chain.product(there.name)]: chain.define(there.name, there.code),
    [chain.product(other.name)]: chain.define(other.name, other.code),
    [chain.test(there.name)]: testFile(chain, there, { style }),
    [chain.test(other.name)]: testFile(chain, other, { style: 'direct' }),
    ...rustParts(chain, [there.name, other.name]),
  }
  const done = {
    [chain.product(added.name)]: chain.define(added.name, added.code),
    [chain.test(added.name)]: testFile(chain, added, { style: 'direct' }),
    ...rustParts(chain, [added.name, there.name, other.name]),
  }
  const broken = { [chain.product(there.name)]: chain.define(there.name, there.wrong) }
  return { chain, style, check: chain.checks[start % chain.checks.length]!, there, added, base, done, broken }
}

const rustParts = (chain: Chain, names: string[]): Tree =>
  chain.name === 'cargo' ? { 'src/lib.rs': names.map((name) => `pub mod ${name};\n`).join('') } : {}

function tableOf(chain: Chain, { calls }: Product, wrong = false): string {
  const rows = calls.map(({ a, b, ...results }) => ({ a, b, right: wrong ? results.wrong : results.right }))
  if (chain.name === 'cargo') return rows.map(({ a, b, right }) => `${a},${b},${right}\n`).join('')
  return `${JSON.stringify(rows, null, 2)}\n`
}

export const wrongTable = ({ chain, there }: Work): string => tableOf(chain, there, true)

export interface Written {
  style: Style
  /** Instead of each honest assertion. */
  assertion?: string
  /** Instead of each honest test. */
  test?: string
}

export function testFile(chain: Chain, what: Product, written: Written): string {
  const { style } = written
  const tests = what.calls.map((call, index) => {
    const holes = holesOf(chain, what, call)
    const honest = fill(style === 'direct' ? chain.assertion : style === 'helper' ? chain.helped : chain.tabled, holes)
    const body = written.assertion === undefined ? honest : fill(written.assertion, { ...holes, it: honest })
    const id = `${what.name}_${index === 0 ? 'of_some' : 'of_more'}`
    const names = {
      id,
      Id: pascal(id),
      title: id.replaceAll('_', ' '),
      body: indent(chain, body),
      ...holes,
      it: honest,
    }
    const made = fill(written.test ?? chain.oneTest, { ...names, honest: fill(chain.oneTest, names) })
    return made
  })
  return chain.head(what.name, style) + tests.join(chain.name === 'pytest' ? '\n\n' : '\n')
}

function holesOf(
  chain: Chain,
  { name, code }: Product,
  call: Product['calls'][number],
): Record<string, string | number> {
  const Name = pascal(name)
  return { ...call, name, code, Name, call: `${chain.name === 'go' ? Name : name}(${call.a}, ${call.b})` }
}

const pascal = (text: string) => text.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())

const indent = (chain: Chain, body: string) =>
  `${chain.name === 'go' ? '\t' : ['pytest', 'cargo'].includes(chain.name) ? '    ' : '  '}${body}`

/** Some runners take no file without a test, and Go no import that nothing uses. */
export function loadable(chain: Chain, text: string): string {
  if (chain.kinds.includes('expect')) return `${text}\ntest('loads', () => {})\n`
  return chain.name === 'go' && !text.includes('testing.') ? text.replace('import "testing"\n', '') : text
}
