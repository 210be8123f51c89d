// How much an assertion claims, by the words of the usual libraries.
import { closing, withoutBrackets } from './brackets.ts'
import type { Assertion } from './test-case.ts'

type Weight = Assertion['weight']

const squeezed = (text: string): string => text.replace(/\s+/g, '').replaceAll('"', "'")

const constant =
  /^(?:!?(?:true|false|True|False|null|None|nil|undefined)|-?\d[\d_.]*|'[^']*'|"[^"]*"|`[^`$]*`|\[\]|\{\})$/
const comparesAll = /[^=!<>]===?[^=]|\bis\b(?! not\b)|\.equals?\(|isDeepStrictEqual|DeepEqual\(|\bEqual\(/
const comparesPart =
  /!==?|[<>]|\.(?:includes|has|test|match|every|some|startsWith|endsWith|contains|starts_with|ends_with|HasPrefix|HasSuffix|Contains)\(|\binstanceof\b|\bisinstance\(|\bin\b|\bmatches!|\berrors\.(?:Is|As)\(/
const anyMatcher =
  /\bexpect\.(?:not\.)?(?:any|anything|objectContaining|arrayContaining|stringContaining|stringMatching|closeTo)\b|\b(?:mock\.)?(?:ANY|Anything)\b|\bgomock\.Any\(|\bsinon\.match\b/
const onlyAny = /^(?:expect\.(?:any\(.*\)|anything\(\))|(?:mock\.)?ANY|mock\.Anything|gomock\.Any\(\))$/

/** Exceptions that everything is one of. */
const anyError = /^(?:Exception|BaseException|Error|Throwable|StandardError|\(?Exception,?\)?)$/

export function weighCall(name: string, args: string[]): Weight {
  const own = /^(?:t|tb|b)$/.test(args[0] ?? '') ? args.slice(1) : args
  const [first, second] = own
  if (/^(?:pass|pytest|hasAssertions)$/i.test(name)) return 0
  const negative = /^(?:not|assert_?not|doesnot|refute)|_ne$|^ne$|notequal|isnot/i.test(name)
  const exact = /equal|^eq$|_eq$|^is$|^same|deepis|^exactly$|^jsoneq$|^elementsmatch$/i.test(name) && !negative
  if (exact) return weighEquality(first, second, own)
  if (/^(?:assert|ok|isOk|true|isTrue|assertTrue|assert_true|truthy|should|XCTAssert|XCTAssertTrue|True)$/.test(name))
    return weighTruth(first)
  if (/throws|rejects|raises|panics/i.test(name)) return weighRaise(name, own)
  if (/called_(?:once_)?with$|any_call$|has_calls$/.test(name)) return weighArguments(own)
  if (/^(?:nil|noerror|isnil|isnone|assertisnone|isnull|isundefined|iferror|len|empty|errorcontains)$/i.test(name))
    return 3
  if (/^(?:error|fail|exists|isdefined|assertisnotnone)$/i.test(name)) return 1
  return /^(?:not|doesNot|assertNot|assertIsNot|falsy|assertFalse|false|refute)/i.test(name) ? 1 : 2
}

function weighEquality(first: string | undefined, second: string | undefined, all: string[]): Weight {
  if (first !== undefined && second !== undefined) {
    if (squeezed(first) === squeezed(second)) return 0
    if (constant.test(first) && constant.test(second)) return 0
  }
  if (all.slice(0, 2).some(isHedged)) return 1
  if (all.slice(0, 2).some((one) => onlyAny.test(one))) return 1
  if (isType(first) || isType(second) || all.some((one) => anyMatcher.test(one))) return 2
  return 3
}

function weighArguments(args: string[]): Weight {
  if (args.length > 0 && args.every((one) => onlyAny.test(one))) return 1
  return args.some((one) => anyMatcher.test(one)) ? 2 : 3
}

/** What is raised is named by its words, or by what it holds. */
const worded = /^(?:["'`/{]|new RegExp)/

/** `raises(ValueError, match=…)` says most, `raises(Exception)` hardly anything. */
function weighRaise(name: string, own: string[]): Weight {
  if (/^(?:raises|assertRaises\w*|assert_raises\w*)$/.test(name)) {
    if (anyError.test(own[0] ?? '')) return 1
    return own.some((one) => /^match\s*=/.test(one)) || /Regex/.test(name) ? 3 : 2
  }
  if (own[1] === undefined || anyError.test(own[1])) return 1
  return worded.test(own[1]) ? 3 : 2
}

/** `f() && 3`, `3 ?? f()`, `(f(), 3)`, `f().unwrap_or(3)`: what is compared need not be what the code gave. */
export function isHedged(expression: string | undefined): boolean {
  const bare = (expression ?? '').replace(/(["'`])(?:\\.|(?!\1).)*\1/g, '""').trim()
  const inner = bare.startsWith('(') && closing(bare, 0) === bare.length ? bare.slice(1, -1) : bare
  if (/^(?:async\s*)?(?:\([^)]*\)|\w+)\s*=>|^(?:async\s+)?function\b|^lambda\b|^\|/.test(inner)) return false
  return (
    /&&|\|\||\?\?|\?(?![.)]|$)|,|\bor\b/.test(withoutBrackets(inner)) || /\.unwrap_or(?:_else|_default)?\(/.test(inner)
  )
}

const isType = (expression: string | undefined): boolean => /^(?:typeof\b|type\()/.test(expression ?? '')

/** A condition that must hold. */
export function weighTruth(expression: string | undefined): Weight {
  if (expression === undefined || constant.test(expression)) return 0
  if (/(?:\|\||\bor\b)\s*(?:true|True|1)$|^(?:true|True|1)\s*(?:\|\||\bor\b)/.test(expression)) return 0
  if (isTuple(expression)) return 0
  const bare = withoutBrackets(expression)
  const sides = /^(.+?)\s*(?:===?|\bis\b(?! not\b))\s*(.+)$/.exec(expression)
  if (sides && squeezed(sides[1]!) === squeezed(sides[2]!)) return 0
  if (/\bapprox\(|\babs\(\)?|\bisclose\(/.test(expression)) return 2
  if (comparesAll.test(bare) || /^(?:\w+\.)*(?:isDeepStrictEqual|DeepEqual|Equal)\(/.test(expression))
    return sides && [sides[1]!, sides[2]!].some((side) => isHedged(side) || /^(?:typeof\b|type\()/.test(side))
      ? 2
      : weighAny(expression)
  return comparesPart.test(expression) ? 2 : 1
}

const weighAny = (expression: string): Weight => (anyMatcher.test(expression) ? 2 : 3)

/** `(x == 1, 'message')` is a tuple, and true. */
function isTuple(expression: string): boolean {
  if (!expression.startsWith('(') || closing(maskQuotes(expression), 0) !== expression.length) return false
  return withoutBrackets(maskQuotes(expression).slice(1, -1)).includes(',')
}

const maskQuotes = (text: string): string =>
  text.replace(/(["'])(?:\\.|(?!\1).)*\1/g, (quoted) => `"${'_'.repeat(Math.max(0, quoted.length - 2))}"`)

export interface Chain {
  /** All words after `expect(…)`. */
  words: string[]
  called: boolean
  args: string[]
}

const wholeMatchers =
  /^(?:toBe|toEqual|toStrictEqual|equals?|eql|eqls?|eq|toBeNull|toBeUndefined|toHaveLength|lengthOf|toHaveTextContent|toHaveValue|toBeEmpty|toMatchInlineSnapshot|(?:toHaveBeen|toBe|to_have_been_)?(?:Last|last|Nth|nth)?[cC]alled(?:With|Times|_with)|toHaveBeenCalledOnceWith|toHaveBeenLastCalledWith|toHaveBeenNthCalledWith|lastCalledWith|nthCalledWith|toReturnWith|toHaveReturnedWith|calledWith|calledOnceWith|deep|true|false|null|undefined|NaN|empty|toBeNaN|to_eq|eq)$/
const faintMatchers =
  /^(?:toBeTruthy|toBeDefined|toBeFalsy|toBeInstanceOf|toBeTypeOf|toHaveBeenCalled|toBeCalled|called|ok|exist|exists|instanceof|instanceOf|a|an|anything|any|toHaveReturned|toBeInTheDocument)$/

/** `expect(actual).matcher(wanted)`, of jest, vitest and chai. */
export function weighChain(args: string[], { words, called, args: wanted }: Chain): Weight {
  const matcher = words.at(-1) ?? ''
  const [actual] = args
  if (matcher === '' || (!called && /^to[A-Z]/.test(matcher))) return 0
  if (actual !== undefined && constant.test(actual) && (wanted[0] === undefined || constant.test(wanted[0]))) return 0
  if (actual !== undefined && wanted[0] !== undefined && squeezed(actual) === squeezed(wanted[0])) return 0
  if (isHedged(actual)) return 1
  if (wanted.length > 0 && wanted.every((one) => onlyAny.test(one))) return 1
  if (words.includes('not') || faintMatchers.test(matcher)) return 1
  if (/^(?:toThrow|toThrowError|throw|throws|rejectedWith)$/.test(matcher)) return weighRaise('throws', ['', ...wanted])
  if (!wholeMatchers.test(matcher)) return 2
  return isType(actual) || wanted.some((one) => anyMatcher.test(one)) ? 2 : 3
}
