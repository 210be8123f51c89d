import type { Change } from '../change.ts'
import { mask } from './mask.ts'
import { type Language, languageOf } from './test-file.ts'

/** One test, or a suite of them. */
export interface Case {
  kind: 'test' | 'suite'
  name: string
  start: number
  end: number
  line: number
  /** How many blocks that are neither suites nor loops it stands in. */
  buried: number
  text: string
  masked: string
  language: Language
}

export interface TestFile {
  text: string
  masked: string
  language: Language
  cases: Case[]
  /** What is outside every test, as if it were one: setups, plain scripts, shared assertions. */
  rest: Case
}

/** A changed file with tests, both sides read. */
export interface TestChange {
  change: Change
  before: TestFile | null
  after: TestFile | null
  /** The tests are among the product's code, which is not ours to judge. */
  inline: boolean
}

export function readTests(path: string, text: string): TestFile {
  const language = languageOf(path)
  const masked = mask(text, language)
  const spans = spansOf(path, { text, masked, language })
  const line = lineCounter(text)
  const buried = burialCounter(masked)
  const cases = spans.map(({ start, end, ...span }) => ({
    ...span,
    start,
    end,
    line: line(start),
    buried: buried(start),
    text: text.slice(start, end),
    masked: masked.slice(start, end),
    language,
  }))
  return { text, masked, language, cases, rest: restOf(cases, { text, masked, language }) }
}

type Code = Pick<TestFile, 'text' | 'masked' | 'language'>

interface Span {
  kind: 'test' | 'suite'
  name: string
  start: number
  end: number
}

/** Line numbers by place, without counting from the start each time. */
export function lineCounter(text: string): (offset: number) => number {
  const starts = [...text.matchAll(/\n/g)].map((found) => found.index)
  return (offset) => {
    let [low, high] = [0, starts.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (starts[middle]! < offset) low = middle + 1
      else high = middle
    }
    return low + 1
  }
}

/** Places are to be asked for in ascending order. */
function burialCounter(masked: string): (offset: number) => number {
  const open: boolean[] = []
  let at = 0
  return (offset) => {
    for (; at < offset; at++) {
      if (masked[at] === '{') open.push(isOrdinary(masked.slice(Math.max(0, at - 160), at)))
      if (masked[at] === '}') open.pop()
    }
    const before = masked.slice(masked.lastIndexOf('\n', offset) + 1, offset)
    return open.filter((ordinary) => ordinary).length + (/\bif\s*\(|&&|\?/.test(before) ? 1 : 0)
  }
}

/** Whether what opens here is neither a suite, nor a test, nor a loop, nor a class. */
const isOrdinary = (before: string): boolean =>
  !/(?:\b(?:describe|context|suite|test|it|for|forEach|each|class|mod|module|namespace|interface|object)\b)[^{}]*$/i.test(
    before,
  )

function restOf(cases: Case[], { text, masked, language }: Code): Case {
  let [restText, restMasked] = ['', '']
  let at = 0
  for (const one of cases.filter((each) => each.kind === 'test')) {
    if (one.start < at) continue
    restText += text.slice(at, one.start)
    restMasked += masked.slice(at, one.start)
    at = one.end
  }
  restText += text.slice(at)
  restMasked += masked.slice(at)
  return { kind: 'test', name: '', start: 0, end: 0, line: 1, buried: 0, text: restText, masked: restMasked, language }
}

function spansOf(path: string, { text, masked, language }: Code): Span[] {
  switch (language) {
    case 'js':
      return callSpans(text, masked)
    case 'python':
      return indentedSpans(masked, /^([ \t]*)(?:async[ \t]+)?def[ \t]+(test\w*)[ \t]*\(/gm)
    case 'ruby':
      return rubySpans(text, masked)
    case 'braces':
      return bracedSpans(path, text, masked)
    case 'other':
      return []
  }
}

/** `test('name', …)` and its relatives. */
function callSpans(text: string, masked: string): Span[] {
  const spans: Span[] = []
  const closingAt = closings(masked)
  const calls =
    /(?<![\w$.])(?:(?:Deno|QUnit|tap|t)\.)?([xf]?(?:test|it|specify|describe|context|suite))((?:\s*\.\s*\w+)*)\s*(?=[(`<])/g
  for (const found of masked.matchAll(calls)) {
    let open = found.index + found[0].length
    if (/\.\s*(?:each|for)$/.test(found[2]!)) open = nextOpening(masked, closingAt(open))
    if (masked[open] === '<') open = nextOpening(masked, open)
    if (masked[open] !== '(') continue
    const end = closingAt(open)
    const inside = masked.slice(open + 1, end)
    const name = firstString(text, masked, open + 1)
    if (name === null && !/=>|\bfunction\b/.test(inside.slice(0, 200))) continue
    const kind = /^[xf]?(?:describe|context|suite)$/.test(found[1]!) ? 'suite' : 'test'
    spans.push({ kind, name: name ?? '(unnamed)', start: found.index, end })
  }
  return spans
}

/** The place after the bracket (or the string) that closes the one here. */
export function closing(masked: string, open: number): number {
  if (masked[open] === '`') return Math.max(open + 1, masked.indexOf('`', open + 1) + 1)
  let depth = 0
  const end = Math.min(masked.length, open + longestBracket)
  for (let at = open; at < end; at++) {
    depth += bracket(masked.charCodeAt(at))
    if (depth === 0) return at + 1
  }
  return end
}

/** Further than any argument list reaches; a file without closing brackets must not be read again for each of them. */
const longestBracket = 50_000

/** For every bracket at once, where it is closed. */
function closings(masked: string): (open: number) => number {
  const ends = new Map<number, number>()
  const opened: number[] = []
  for (let at = 0; at < masked.length; at++) {
    const change = bracket(masked.charCodeAt(at))
    if (change === 1) opened.push(at)
    else if (change === -1 && opened.length > 0) ends.set(opened.pop()!, at + 1)
  }
  return (open) => ends.get(open) ?? (masked[open] === '`' ? closing(masked, open) : masked.length)
}

/** 1 for `([{`, -1 for `)]}`. */
function bracket(code: number): -1 | 0 | 1 {
  if (code === 40 || code === 91 || code === 123) return 1
  return code === 41 || code === 93 || code === 125 ? -1 : 0
}

function nextOpening(masked: string, from: number): number {
  const at = masked.indexOf('(', from)
  return at === -1 ? masked.length : at
}

function firstString(text: string, masked: string, from: number): string | null {
  const lead = /^\s*(["'`])/.exec(masked.slice(from, from + 200))
  if (!lead) return null
  const start = from + lead[0].length
  const end = masked.indexOf(lead[1]!, start)
  return end === -1 ? null : text.slice(start, end)
}

function indentedSpans(masked: string, header: RegExp): Span[] {
  return [...masked.matchAll(header)].map((found) => {
    const next = new RegExp(`\\n(?![ \\t]*\\n)(?!${found[1]}[ \\t])(?=[ \\t]*[^\\s)])`, 'g')
    next.lastIndex = found.index + found[0].length
    const end = next.exec(masked)?.index ?? masked.length
    return { kind: 'test', name: found[2]!, start: found.index, end }
  })
}

function rubySpans(text: string, masked: string): Span[] {
  const header = /^([ \t]*)(?:(?:x?it|test|x?specify|example)[ \t(]+(["'])|def[ \t]+(test_\w+))/gm
  return [...masked.matchAll(header)].map((found) => {
    const from = found.index + found[0].length
    const name = found[3] ?? text.slice(from, masked.indexOf(found[2]!, from))
    const close = masked.indexOf(`\n${found[1]}end`, from)
    return { kind: 'test', name, start: found.index, end: close === -1 ? masked.length : close + 4 }
  })
}

const headers: [RegExp, RegExp][] = [
  [/\.go$/, /^func\s+((?:Test|Fuzz|Example)\w*)\s*\(/gm],
  [/\.rs$/, /#\[(?:\w+::)?test\b[^\]]*\](?:\s*#\[[^\]]*\])*\s*(?:pub\s+)?(?:async\s+)?fn\s+(\w+)/g],
  [
    /\.(?:java|kts?|cs|scala|groovy)$/,
    /(?:@(?:Test|ParameterizedTest|RepeatedTest)|\[(?:Fact|Theory|Test|TestMethod|TestCase))\b[^{;]*?(\w+|`[^`]*`)\s*\(/g,
  ],
  [/\.(?:php|swift)$/, /\bfunc(?:tion)?\s+(test\w+)\s*\(/g],
  [/\.(?:c|cc|cpp|h)$/, /\bTEST(?:_[FP])?\s*\(([^)]*)\)/g],
]

function bracedSpans(path: string, text: string, masked: string): Span[] {
  const header = headers.find(([names]) => names.test(path))?.[1]
  if (header === undefined) return []
  const closingAt = closings(masked)
  return [...masked.matchAll(header)].flatMap((found) => {
    const open = masked.indexOf('{', found.index + found[0].length)
    if (open === -1) return []
    const at = found.index + found[0].indexOf(found[1]!)
    return [{ kind: 'test', name: text.slice(at, at + found[1]!.length), start: found.index, end: closingAt(open) }]
  })
}
