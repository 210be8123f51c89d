import { once } from '../../../../std/once.ts'
import { below, innermost, type TreeNode } from '../../syntax/tree.ts'
import { assertionsByLines, type Written } from '../by-lines/assertions.ts'
import { literalsOf } from '../literals.ts'
import { type Assertion, type Case, type Facts, lineCounter, type TestFile } from '../test-case.ts'
import type { Language } from '../test-file.ts'
import { type Asserting, assertingFunctions, callsOf } from './asserting-functions.ts'
import type { Code } from './code.ts'
import { goClaim } from './go-claims.ts'
import { type Locals, localsIn, resolved } from './locals.ts'
import { earlyReturns, reachOf } from './reach.ts'
import { attributeRows, rowsIn } from './rows.ts'
import { type StructuredSpan, spansByStructure } from './spans.ts'

interface Placed extends Written {
  node: TreeNode
}

/** The tests of a file with what they claim, by the structure of the code. */
export function readStructure(code: Code, language: Language): TestFile {
  const line = lineCounter(code.text)
  const spans = spansByStructure(code)
  const placed = placedAssertions(code, language)
    .map((one) => ({ ...one, line: line(one.start) }))
    .sort((a, b) => a.start - b.start)
  const asserting = assertingFunctions(code, spans, placed)
  const cases = spans.map((span): Case => {
    const { kind, name, start, end, buried } = span
    const [text, masked] = [code.text.slice(start, end), code.masked.slice(start, end)]
    const facts = once(() => (kind === 'suite' ? nothing : factsOf(code, span, { placed, asserting })))
    return {
      ...{ kind, name, start, end, buried, text, masked, language, line: line(start) },
      get facts() {
        return facts()
      },
    }
  })
  return {
    text: code.text,
    masked: code.masked,
    language,
    cases,
    rest: restOf(code, cases, { placed, language, spans }),
  }
}

function placedAssertions(code: Code, language: Language): Placed[] {
  return assertionsByLines({ name: '', text: code.text, masked: code.masked, language }).map((written) => {
    const node = innermost(code.root, written.start, written.end)
    if (code.grammar !== 'go') return { ...written, node }
    const claim = goClaim(code, written, node)
    return { ...claim.written, node: claim.node }
  })
}

const nothing: Facts = { assertions: [], guarded: 0, swallowed: 0, earlyReturns: 0, rows: [], calls: 0 }

function factsOf(code: Code, span: StructuredSpan, known: { placed: Placed[]; asserting: Asserting }): Facts {
  const own = known.placed
    .slice(from(known.placed, span.start), from(known.placed, span.end))
    .filter(({ end }) => end <= span.end)
  const nodes = below(span.node)
  const locals = localsIn(code, nodes)
  const reached = own.map((one) => ({ one, reach: reachOf(code, one, span.body) }))
  const made = reached.filter(({ reach }) => reach === 'made' || reach === 'guarded').map(({ one }) => one)
  const calls = nodes.filter(({ kind }) => code.shape.calls.includes(kind))
  return {
    assertions: [
      ...made.map((one) => withLocals(one, locals)),
      ...callsOf(code, calls, known.asserting),
      ...panics(code, span),
    ],
    guarded: reached.filter(({ reach }) => reach === 'guarded').length,
    swallowed: reached.filter(({ reach }) => reach === 'swallowed').length + recovered(code, span),
    earlyReturns: earlyReturns(code, span.body, own),
    rows: [...rowsIn(code, nodes), ...attributeRows(code, span.start, span.end)],
    calls: calls.filter(({ start }) => start > span.body.start).length,
  }
}

/** Assertions are in order: where those that start here or later begin. */
function from(placed: readonly Placed[], start: number): number {
  let [low, high] = [0, placed.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (placed[middle]!.start < start) low = middle + 1
    else high = middle
  }
  return low
}

/** With what the names in it stand for: two names of the same call claim hardly anything. */
function withLocals(written: Written, locals: Locals): Assertion {
  const { text, literals, line } = written
  const sides = written.sides.map((side) => resolved(side, locals))
  const [left, right] = sides
  const circular = left !== undefined && left.text === right?.text && left.text.includes('(')
  return {
    text,
    line,
    weight: circular ? 1 : written.weight,
    literals,
    inputs: sides.flatMap((side) => side.literals),
    subjects: sides.map((side) => side.text).filter((side) => /[A-Za-z_$]/.test(side) && !/^["'`]/.test(side)),
  }
}

/** In Rust an attribute may say how a test must fail. */
function panics(code: Code, { start, body, name }: StructuredSpan): Assertion[] {
  const masked = code.masked.slice(start, body.start)
  return [...masked.matchAll(/#\[should_panic\b[^\]]*\]/g)].map((found) => {
    const text = code.text.slice(start + found.index, start + found.index + found[0].length)
    const literals = literalsOf(text, found[0])
    return { text, weight: literals.length > 0 ? 2 : 1, literals, inputs: [], subjects: [`panic of ${name}`], line: 0 }
  })
}

/** In Go a deferred function may recover from what should have failed. */
const recovered = (code: Code, { start, end }: StructuredSpan): number =>
  code.grammar === 'go' &&
  /\bdefer\s+func\(\)\s*\{(?:(?!\bt\.|panic)[^}])*\brecover\(\)(?:(?!\bt\.|panic)[^}])*\}/.test(
    code.masked.slice(start, end),
  )
    ? 1
    : 0

function restOf(
  code: Code,
  cases: Case[],
  known: { placed: Placed[]; language: Language; spans: StructuredSpan[] },
): Case {
  const tests = known.spans.filter(({ kind }) => kind === 'test')
  const isOutside = outsideOf(tests)
  const [text, masked] = [cut(code.text, cases), cut(code.masked, cases)]
  const own = known.placed.filter(isOutside)
  const reached = own.map((one) => ({ one, reach: reachOf(code, one, null) }))
  const facts: Facts = {
    ...nothing,
    assertions: reached
      .filter(({ reach }) => reach === 'made' || reach === 'guarded')
      .map(({ one }) => withLocals(one, new Map())),
    guarded: reached.filter(({ reach }) => reach === 'guarded').length,
    swallowed: reached.filter(({ reach }) => reach === 'swallowed').length,
    rows: rowsIn(code, below(code.root).filter(isOutside)),
  }
  return { kind: 'test', name: '', start: 0, end: 0, line: 1, buried: 0, text, masked, language: known.language, facts }
}

/** Tests are in order, so the last that starts early enough is the only one that may hold it. */
function outsideOf(tests: readonly { start: number; end: number }[]): (one: { start: number; end: number }) => boolean {
  const outer: { start: number; end: number }[] = []
  for (const test of tests) if (test.start >= (outer.at(-1)?.end ?? 0)) outer.push(test)
  return ({ start, end }) => {
    let [low, high] = [0, outer.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (outer[middle]!.start <= start) low = middle + 1
      else high = middle
    }
    return !(low > 0 && outer[low - 1]!.end >= end)
  }
}

function cut(text: string, cases: readonly Case[]): string {
  const pieces: string[] = []
  let at = 0
  for (const one of cases) {
    if (one.kind !== 'test' || one.start < at) continue
    pieces.push(text.slice(at, one.start), text.slice(one.start, one.end).replace(/[^\n]/g, ''))
    at = one.end
  }
  return [...pieces, text.slice(at)].join('')
}
