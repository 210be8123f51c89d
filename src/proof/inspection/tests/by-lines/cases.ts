import { closings } from '../brackets.ts'
import type { TestFile } from '../test-case.ts'

type Code = Pick<TestFile, 'text' | 'masked' | 'language'>

export interface Span {
  kind: 'test' | 'suite'
  name: string
  start: number
  end: number
  buried: number
}

/** Tests and suites as far as words and brackets tell. */
export function spansByLines(path: string, code: Code): Span[] {
  const buried = burialCounter(code.masked)
  return bareSpans(path, code).map((span) => ({ ...span, buried: buried(span.start) }))
}

type Bare = Omit<Span, 'buried'>

/** Places are to be asked for in ascending order. */
function burialCounter(masked: string): (offset: number) => number {
  const open: boolean[] = []
  let [at, ordinary] = [0, 0]
  return (offset) => {
    for (; at < offset; at++) {
      if (masked[at] === '{') {
        open.push(isOrdinary(masked.slice(Math.max(0, at - 160), at)))
        if (open.at(-1)!) ordinary += 1
      }
      if (masked[at] === '}' && open.pop() === true) ordinary -= 1
    }
    const before = masked
      .slice(Math.max(0, offset - 400), offset)
      .split('\n')
      .at(-1)!
    return ordinary + (/\bif\s*\(|&&|\?/.test(before) ? 1 : 0)
  }
}

/** Whether what opens here is neither a suite, nor a test, nor a loop, nor a class. */
const isOrdinary = (before: string): boolean =>
  !/(?:\b(?:describe|context|suite|test|it|for|forEach|each|class|mod|module|namespace|interface|object)\b)[^{}]*$/i.test(
    before,
  )

function bareSpans(path: string, { text, masked, language }: Code): Bare[] {
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
function callSpans(text: string, masked: string): Bare[] {
  const spans: Bare[] = []
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

function indentedSpans(masked: string, header: RegExp): Bare[] {
  return [...masked.matchAll(header)].map((found) => {
    const next = new RegExp(`\\n(?![ \\t]*\\n)(?!${found[1]}[ \\t])(?=[ \\t]*[^\\s)])`, 'g')
    next.lastIndex = found.index + found[0].length
    const end = next.exec(masked)?.index ?? masked.length
    return { kind: 'test', name: found[2]!, start: found.index, end }
  })
}

function rubySpans(text: string, masked: string): Bare[] {
  const header = /^([ \t]*)(?:(?:x?it|test|x?specify|example)[ \t(]+(["'])|def[ \t]+(test_\w+))/gm
  const endless = new Set<string>()
  return [...masked.matchAll(header)].map((found) => {
    const from = found.index + found[0].length
    const name = found[3] ?? text.slice(from, masked.indexOf(found[2]!, from))
    const close = endless.has(found[1]!) ? -1 : masked.indexOf(`\n${found[1]}end`, from)
    if (close === -1) endless.add(found[1]!)
    return { kind: 'test', name, start: found.index, end: close === -1 ? masked.length : close + 4 }
  })
}

const headers: [RegExp, RegExp][] = [
  [/\.go$/, /^func\s+((?:Test|Fuzz|Example)\w*)\s*\(/gm],
  [
    /\.rs$/,
    /#\[(?:\w+::)?test\b[^\]]{0,300}\](?:\s{0,200}#\[[^\]]{0,300}\]){0,20}\s{0,200}(?:pub\s+)?(?:async\s+)?fn\s+(\w+)/g,
  ],
  [
    /\.(?:java|kts?|cs|scala|groovy)$/,
    /(?:@(?:Test|ParameterizedTest|RepeatedTest)|\[(?:Fact|Theory|Test|TestMethod|TestCase))\b[^{;]{0,300}?(?<!\w)(\w{1,200}|`[^`\n]{0,200}`)\s{0,20}\(/g,
  ],
  [/\.(?:php|swift)$/, /\bfunc(?:tion)?\s+(test\w+)\s*\(/g],
  [/\.(?:c|cc|cpp|h)$/, /\bTEST(?:_[FP])?\s*\(([^)]{0,300})\)/g],
]

function bracedSpans(path: string, text: string, masked: string): Bare[] {
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
