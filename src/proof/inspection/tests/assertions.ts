import { type Case, closing } from './cases.ts'

/** How much an assertion claims: 0 nothing (it holds whatever the code does), 1 something is there, 2 a part, 3 all. */
export interface Assertion {
  /** As written, without spacing. */
  text: string
  weight: 0 | 1 | 2 | 3
  /** Strings, numbers and words like `true` in it, as written. */
  literals: string[]
}

export function assertionsIn(test: Case): Assertion[] {
  return test.language === 'python' ? [...statements(test), ...calls(test)] : calls(test)
}

/** The part of a test that is reached: what follows a bare `return` at its own level is not. */
export function reachedPart(test: Case): Case {
  const body = test.masked.search(/=>\s*\{|\bfunction\b[^{]*\{|\)\s*\{/)
  if (test.language !== 'js' || body === -1 || test.name === '') return test
  const open = test.masked.indexOf('{', body)
  let depth = 0
  for (let at = open; at < test.masked.length; at++) {
    if ('([{'.includes(test.masked[at]!)) depth += 1
    if (')]}'.includes(test.masked[at]!)) depth -= 1
    if (depth === 1 && /^[\s;{}]return\s*(?:;|\n|\})/.test(test.masked.slice(at, at + 12)))
      return { ...test, text: test.text.slice(0, at), masked: test.masked.slice(0, at) }
  }
  return test
}

/** Literals of a text, quotes and spacing evened out. */
export function literalsOf(text: string, masked: string): string[] {
  const literals: string[] = []
  const pattern =
    /(["'`])(?:[^"'`]*?)\1|(?<![\w.])-?\d[\d_.]*\w*|\b(?:true|false|null|undefined|None|True|False|nil)\b/g
  for (const found of masked.matchAll(pattern)) {
    const written = text.slice(found.index, found.index + found[0].length)
    literals.push(
      found[1] === undefined ? written.replaceAll('_', '') : `"${written.slice(1, -1).replace(/\s+/g, ' ')}"`,
    )
  }
  return literals
}

/** What of the first list the second does not have as often. */
export function missing(wanted: string[], present: string[]): string[] {
  const counts = new Map<string, number>()
  for (const one of present) counts.set(one, (counts.get(one) ?? 0) + 1)
  return wanted.filter((one) => {
    const count = counts.get(one) ?? 0
    counts.set(one, count - 1)
    return count <= 0
  })
}

const callee =
  /(?:\.should(?:\.\w+)+|\.expect|(?<![\w$.])(?:assert\w*!?(?:\.\w+)*|chai\.(?:assert(?:\.\w+)*|expect)|expect(?:\.soft)?|(?:t|tap|test|self|this|suite|s)\.(?:assert\w*(?:\.\w+)*|is\w*|not\w*|equals?|deep\w*|same\w*|ok|notOk|true|false|truthy|falsy|throws\w*|rejects|match|like|pass|fail|strict\w*|snapshot|regex|Error|Errorf|Fatal|Fatalf|Fail|FailNow|Equal\w*|Require\(\)\.\w+)|require\.(?:[A-Z]\w*)|is\.[A-Z]\w*|strictEqual|deepStrictEqual|deepEqual|equal|notEqual|notStrictEqual|throws|rejects|doesNotThrow|doesNotReject|doesNotMatch|ifError|refute\w*|should\w*|verify|XCTAssert\w*|pytest\.raises|EXPECT_\w+|ASSERT_\w+|panic!|Assert\.\w+))\s*\(/g

function calls(test: Case): Assertion[] {
  const found: Assertion[] = []
  for (const match of test.masked.matchAll(callee)) {
    const open = match.index + match[0].length - 1
    const end = closing(test.masked, open)
    const name = match[0].slice(0, -1).trim()
    const chain = /^(?:chai\.)?expect(?:\.soft)?$/.test(name) ? chainAfter(test, end) : null
    const stop = chain?.end ?? end
    const args = splitArguments(test, open + 1, end - 1)
    const weight = chain === null ? weigh(last(name), args) : weighChain(args, chain)
    found.push({
      text: squeezed(test.text.slice(match.index, stop)),
      weight,
      literals: literalsOf(test.text.slice(open, stop), test.masked.slice(open, stop)),
    })
  }
  return found
}

const squeezed = (text: string): string => text.replace(/\s+/g, '')

const last = (name: string): string => name.replace(/!$/, '').split('.').at(-1)!

interface Chain {
  matcher: string
  negated: boolean
  args: string[]
  end: number
}

/** `.not.toBe(…)` after `expect(…)`. */
function chainAfter(test: Case, from: number): Chain {
  const names = /^(?:\s*\.\s*\w+)+/.exec(test.masked.slice(from, from + 300))?.[0] ?? ''
  const open = from + names.length
  const called = test.masked[open] === '('
  const end = called ? closing(test.masked, open) : open
  return {
    matcher: names.split('.').at(-1)!.trim(),
    negated: /\bnot\b/.test(names),
    args: called ? splitArguments(test, open + 1, end - 1) : [],
    end,
  }
}

function splitArguments(test: Case, from: number, to: number): string[] {
  const parts: string[] = []
  let [depth, start] = [0, from]
  for (let at = from; at < to; at++) {
    if ('([{'.includes(test.masked[at]!)) depth += 1
    if (')]}'.includes(test.masked[at]!)) depth -= 1
    if (test.masked[at] === ',' && depth === 0) {
      parts.push(test.text.slice(start, at))
      start = at + 1
    }
  }
  parts.push(test.text.slice(start, to))
  return parts.map((part) => part.replace(/\s+/g, ' ').trim()).filter((part) => part !== '')
}

const constant = /^(?:!?(?:true|false|True|False|1|0)|'[^']*'|"[^"]*"|\d+|\[\]|\{\})$/
const comparesAll = /[^=!<>]===?[^=]|\bis\b|\.equals?\(|isDeepStrictEqual/
const comparesPart =
  /!==?|[<>]|\.(?:includes|has|test|match|every|some|startsWith|endsWith|contains)\(|\binstanceof\b|\bin\b/

function weigh(name: string, args: string[]): Assertion['weight'] {
  const own = args[0] === 't' ? args.slice(1) : args
  const [first, second] = own
  if (/^(?:pass|pytest)$/i.test(name)) return 0
  const exact =
    /equal|^eq$|_eq$|^is$|^same|deepis/i.test(name) && !/^(?:not|assert_?not|doesnot)|_ne$|notequal/i.test(name)
  if (exact && first !== undefined && first === second) return 0
  if (exact) return isHedged(first) ? 1 : 3
  if (/^(?:assert|ok|isOk|true|isTrue|assertTrue|assert_true|truthy|should|XCTAssert|XCTAssertTrue|True)$/.test(name))
    return weighTruth(first)
  if (/throws|rejects|raises/i.test(name)) return own.length > 1 || name === 'raises' ? 2 : 1
  return /^(?:not|doesNot|assertNot|assertIsNot|exists|isDefined|falsy|assertFalse|false)/i.test(name) ? 1 : 2
}

/** `f() && 3`, `3 ?? f()`, `(f(), 3)`: what is compared need not be what the code gave. */
function isHedged(expression: string | undefined): boolean {
  const bare = (expression ?? '').replace(/(["'`])(?:\\.|(?!\1).)*\1/g, '""').trim()
  const inner = bare.startsWith('(') && closing(bare, 0) === bare.length ? bare.slice(1, -1) : bare
  if (/^(?:async\s*)?(?:\([^)]*\)|\w+)\s*=>|^(?:async\s+)?function\b/.test(inner)) return false
  return /&&|\|\||\?\?|\?(?!\.)|,/.test(withoutBrackets(inner))
}

function withoutBrackets(text: string): string {
  const shorter = text.replace(/[([{][^()[\]{}]*[)\]}]/g, '_')
  return shorter === text ? text : withoutBrackets(shorter)
}

function weighTruth(expression: string | undefined): Assertion['weight'] {
  if (expression === undefined || constant.test(expression) || /\|\|\s*(?:true|1)$/.test(expression)) return 0
  const sides = /^(.+?)\s*===?\s*(.+)$/.exec(expression)
  if (sides && sides[1] === sides[2]) return 0
  if (comparesAll.test(expression)) return 3
  return comparesPart.test(expression) ? 2 : 1
}

function weighChain(args: string[], chain: Chain): Assertion['weight'] {
  const [actual] = args
  const [wanted] = chain.args
  if (actual !== undefined && constant.test(actual) && (wanted === undefined || constant.test(wanted))) return 0
  if (actual !== undefined && actual === wanted) return 0
  if (isHedged(actual)) return 1
  if (/^(?:anything|any)$/.test(chain.matcher) || wanted === 'expect.anything()') return 1
  if (
    chain.negated ||
    /^(?:toBeTruthy|toBeDefined|toBeFalsy|toBeInstanceOf|toHaveBeenCalled|ok|exist)$/.test(chain.matcher)
  )
    return 1
  if (/^(?:toThrow|toThrowError)$/.test(chain.matcher)) return chain.args.length > 0 ? 2 : 1
  return /^(?:toBe|toEqual|toStrictEqual|equal|eql|eq|toBeNull|toBeUndefined|toHaveLength|toHaveBeenCalledWith|deep)$/.test(
    chain.matcher,
  )
    ? 3
    : 2
}

/** `assert x == y` to the end of its line, or of its brackets. */
function statements(test: Case): Assertion[] {
  return [...test.masked.matchAll(/^[ \t]*assert\b(?!\s*=)/gm)].map((found) => {
    const from = found.index + found[0].length
    let end = from
    for (let depth = 0; end < test.masked.length && (depth > 0 || test.masked[end] !== '\n'); end++) {
      if ('([{'.includes(test.masked[end]!)) depth += 1
      if (')]}'.includes(test.masked[end]!)) depth -= 1
    }
    const expression = test.text.slice(from, end).replace(/\s+/g, ' ').trim()
    return {
      text: squeezed(expression),
      weight: weighTruth(expression),
      literals: literalsOf(test.text.slice(from, end), test.masked.slice(from, end)),
    }
  })
}
