import { closing, closings, splitArguments } from '../brackets.ts'
import { literalsOf } from '../literals.ts'
import type { Assertion, Passage } from '../test-case.ts'
import { type Chain, weighCall, weighChain, weighTruth } from '../weigh.ts'

/** An assertion with its place in the passage. */
export interface Written extends Assertion {
  name: string
  start: number
  end: number
  /** The expressions that it compares, or the one it judges. */
  sides: string[]
}

/** Assertions as far as words tell. */
export function assertionsByLines(test: Passage): Written[] {
  if (test.language !== 'python') return calls(test)
  return [...statements(test), ...calls(test).filter(({ name }) => name !== 'assert')]
}

/** What an assertion is called, up to its bracket. */
export const assertionCall =
  /(?:\.should(?:\.\w+)+|\.expect|\.assert_(?:called|any|has|not|awaited)\w*|(?<![\w$.])(?:(?:prop_|debug_)?assert\w*!?(?:\.\w+)*|chai\.(?:assert(?:\.\w+)*|expect)|expect(?:\.soft)?|(?:t|tap|test|self|this|suite|s)\.(?:assert\w*(?:\.\w+)*|is\w*|not\w*|equals?|deep\w*|same\w*|ok|notOk|true|false|truthy|falsy|throws\w*|rejects|match|like|pass|fail|strict\w*|snapshot|regex|Error|Errorf|Fatal|Fatalf|Fail|FailNow|Equal\w*|Require\(\)\.\w+)|require\.(?:[A-Z]\w*)|is\.[A-Z]\w*|strictEqual|deepStrictEqual|deepEqual|equal|notEqual|notStrictEqual|throws|rejects|doesNotThrow|doesNotReject|doesNotMatch|ifError|refute\w*|should\w*|verify|XCTAssert\w*|pytest\.(?:raises|warns|fail)|EXPECT_\w+|ASSERT_\w+|panic!|Assert\.\w+))\s*\(/g

function calls(test: Passage): Written[] {
  const closingAt = closings(test.masked)
  return [...test.masked.matchAll(assertionCall)].map((match) => {
    const open = match.index + match[0].length - 1
    const closed = closingAt(open)
    const end = Math.min(closed, open + (test.masked[closed - 1] === ')' ? longestStatement : shortened))
    const name = match[0].slice(0, -1).trim()
    const chain = isExpect(name) ? chainAfter(test, end) : null
    const stop = chain?.end ?? end
    const args = argumentsBetween(test, open + 1, end - 1)
    return {
      name,
      start: match.index,
      end: stop,
      text: squeezed(test.text.slice(match.index, stop)),
      weight: chain === null ? weighCall(lastWord(name), args) : weighChain(args, chain),
      literals: spoken(literalsOf(test.text.slice(open, stop), test.masked.slice(open, stop)), name, args),
      inputs: [],
      sides: sidesOf(name, args, chain),
      subjects: [],
      line: 0,
    }
  })
}

const truths = /^(?:(?:prop_|debug_)?assert!?|.*\.ok|.*[tT]rue|.*[fF]alse)$/
const comparisons = /[eE]qual|_eq!?$|_ne!?$|\.(?:is|same)$/

/** Without the words that are shown when it fails. */
function spoken(literals: string[], name: string, args: string[]): string[] {
  const kept = /\.fail$/.test(name) ? 0 : truths.test(name) ? 1 : comparisons.test(name) ? 2 : args.length
  const own = args.filter((one) => !/^(?:t|tb|b)$/.test(one))
  const words = own.slice(kept).filter((one) => /^["'`]/.test(one))
  return words.reduce((left, word) => {
    const at = left.lastIndexOf(literalsOf(word, word)[0] ?? '')
    return at === -1 ? left : left.toSpliced(at, 1)
  }, literals)
}

function sidesOf(name: string, args: string[], chain: Chain | null): string[] {
  if (chain !== null) return [args[0] ?? '', ...chain.args.slice(0, 1)]
  const own = args.filter((one) => !/^(?:t|tb|b)$/.test(one))
  return truths.test(name) ? comparedIn(own[0] ?? '') : own.slice(0, 2)
}

/** The two sides of a comparison, or the expression itself. */
export function comparedIn(expression: string): string[] {
  const sides = /^(.+?)\s*(?:[!=]==?|<=?|>=?|\bis(?: not)?\b|\bnot in\b|\bin\b)\s*(.+)$/.exec(expression)
  return sides === null ? [expression] : [sides[1]!, sides[2]!]
}

const isExpect = (name: string): boolean => /^(?:chai\.)?expect(?:\.soft)?$/.test(name)

const squeezed = (text: string): string => text.replace(/\s+/g, '')

const lastWord = (name: string): string => name.replace(/!$/, '').split('.').at(-1)!

/** `.not.toBe(…)` after `expect(…)`. */
function chainAfter(test: Passage, from: number): Chain & { end: number } {
  const names = /^(?:\s*\.\s*\w+)+/.exec(test.masked.slice(from, from + 300))?.[0] ?? ''
  const open = from + names.length
  const called = test.masked[open] === '('
  const end = called ? closing(test.masked, open) : open
  const words = names.split('.').map((word) => word.trim())
  return { words: words.slice(1), called, args: called ? argumentsBetween(test, open + 1, end - 1) : [], end }
}

const argumentsBetween = (test: Passage, from: number, to: number): string[] =>
  splitArguments(test.text.slice(from, to), test.masked.slice(from, to))

/** A file without closing brackets must not be read again for each of its lines. */
const longestStatement = 4_000
const shortened = 200

/** `assert x == y` to the end of its line, or of its brackets. */
function statements(test: Passage): Written[] {
  return [...test.masked.matchAll(/(?:^|[:;])[ \t]*assert\b(?!\s*=)/gm)].map((found) => {
    const from = found.index + found[0].length
    let end = from
    const stop = Math.min(test.masked.length, from + longestStatement)
    for (let depth = 0; end < stop && (depth > 0 || test.masked[end] !== '\n'); end++) {
      if ('([{'.includes(test.masked[end]!)) depth += 1
      if (')]}'.includes(test.masked[end]!)) depth -= 1
    }
    if (end === from + longestStatement) end = from + shortened
    const expression = test.text.slice(from, end).replace(/\s+/g, ' ').trim()
    const message = withoutMessage(expression, test.masked.slice(from, end).trim())
    return {
      name: 'assert',
      start: from - 'assert'.length,
      end,
      text: squeezed(expression),
      weight: weighTruth(message),
      literals: literalsOf(test.text.slice(from, end), test.masked.slice(from, end)).slice(0, literalsIn(message)),
      inputs: [],
      sides: comparedIn(message),
      subjects: [],
      line: 0,
    }
  })
}

const literalsIn = (expression: string): number => literalsOf(expression, expression).length

/** `assert x == y, 'message'` without what is said when it fails. */
const withoutMessage = (expression: string, masked: string): string =>
  masked.includes(',') ? (splitArguments(expression, masked.replace(/\s+/g, ' '))[0] ?? expression) : expression
