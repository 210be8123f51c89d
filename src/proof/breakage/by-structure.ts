import { remembered } from '../../std/once.ts'
import { type CodeReader, type Grammar, grammarOf, type NodeSpan } from '../files/test-file.ts'
import { type Edit, endsAtOnce, type Maker, productPart, sideEnds } from './edit.ts'

/** What takes more than a word: values that are returned, texts, calls that are left out, bodies. */
export function structuralEdits(path: string, text: string, code: CodeReader | null): Edit[] {
  const grammar = grammarOf(path)
  if (grammar === null || code === null) return []
  const end = productPart(path, text).length
  const spans = remembered((kinds) =>
    (code.nodes(grammar, text, kinds.split(' ')) ?? []).filter((node) => node.end <= end),
  )
  const nodes = (...kinds: string[]): NodeSpan[] => spans(kinds.join(' '))
  return makers[grammar].flatMap((make) => make({ text, nodes }))
}

/** Edits of each node of these kinds, from its text and where it begins. */
const each =
  (kind: string, edits: (own: string, start: number, given: Parameters<Maker>[0]) => Edit[]): Maker =>
  (given) =>
    given.nodes(kind).flatMap(({ start, end }) => edits(given.text.slice(start, end), start, given))

/** `return x` gives nothing. */
const emptyReturn = (nothing: string): Maker =>
  each('return_statement', (own, start) => {
    const value = /^return\b(?!\s*;?\s*$)/.test(own)
    const closed = own.endsWith(';') ? ';' : ''
    if (!value || own.replace(/;$/, '') === `return ${nothing}`) return []
    const by = `return ${nothing}${closed}`
    return [{ start, end: start + own.length, by, what: `what is returned became ${nothing}`, rank: 2 }]
  })

/** `(a) => x` gives nothing. */
const emptyArrow = each('arrow_function', (own, start, { text, nodes }) => {
  const end = start + own.length
  const params = nodes('formal_parameters').find((node) => node.start >= start && node.start < end)
  const from = params !== undefined && !text.slice(start, params.start).includes('=>') ? params.end : start
  const sign = text.indexOf('=>', from)
  if (sign === -1 || sign >= end) return []
  const body = sign + 2 + /^\s*/.exec(text.slice(sign + 2, end))![0].length
  if (text[body] === '{' || text.slice(body, end) === 'undefined') return []
  return [{ start: body, end, by: 'undefined', what: 'what is returned became undefined', rank: 2 }]
})

/** A text with one sign more; not where it names something that is loaded, and not what only explains. */
const otherText = (kind: string, not: string[]): Maker =>
  each(kind, (own, start, { text, nodes }) => {
    const end = start + own.length
    const plain = /^[bru]*(["'])(?!\1)[^\\\n]+\1$/i.test(own)
    if (!plain || /(?:require|import)\s*\(\s*$/.test(text.slice(Math.max(0, start - 20), start))) return []
    if (not.length > 0 && nodes(...not).some((one) => one.start <= start && end <= one.end)) return []
    return [{ start: end - 1, end: end - 1, by: '~', what: `the text ${own.slice(0, 40)} became another`, rank: 3 }]
  })

/** A call whose result nobody takes is left out. */
const withoutCall = (kind: string, by: string): Maker =>
  each(kind, (own, start) => {
    if (!/^(?:await\s+)?[\w$.?!]+\(/.test(own) || !/\)\s*;?$/.test(own) || /^super\b/.test(own)) return []
    const what = `the call ${own.split('(', 1)[0]!.slice(0, 40)}() was left out`
    return [{ start, end: start + own.length, by, what, rank: 4 }]
  })

/** A body that ends at once: it compiles whatever it should give. */
const endedBody = (kind: string, by: string): Maker =>
  each(kind, (own, start, { text, nodes }) => {
    const body = nodes('block').find((block) => block.start > start && block.end === start + own.length)
    if (body === undefined || !/\S/.test(text.slice(body.start + 1, body.end - 1))) return []
    return [{ start: body.start + 1, end: body.start + 1, by, what: endsAtOnce, rank: 5 }]
  })

// Code may do one thing where tests look and another elsewhere: each side of a choice is broken for itself.
interface Signs {
  /** Between the first part and the second, and between the second and the last. */
  first: RegExp
  second: RegExp
  /** Whether what is given if so stands before what is asked. */
  givenFirst: boolean
  nothing: string
}

/** `a ? b : c` and `b if a else c`: what is given on either side is nothing. */
const sidesOf = (kind: string, { first, second, givenFirst, nothing }: Signs): Maker =>
  each(kind, (own, start) => {
    const [one, other] = [placeOf(own, first), placeOf(own, second)]
    if (one === null || other === null || other.from < one.to) return []
    const then = givenFirst ? { from: start, to: start + one.from } : { from: start + one.to, to: start + other.from }
    return [
      side('then', { ...then, nothing }),
      side('else', { from: start + other.to, to: start + own.length, nothing }),
    ]
  })

function side(name: 'then' | 'else', { from, to, nothing }: { from: number; to: number; nothing: string }): Edit {
  const what = `what is given ${name === 'then' ? 'if so' : 'otherwise'} became ${nothing}`
  return { start: from, end: to, by: ` ${nothing} `, what, rank: -1, side: name }
}

/** `a ?? b`: what is given where there is nothing is nothing, too. */
const otherwise = (kind: string, sign: RegExp, nothing: string): Maker =>
  each(kind, (own, start) => {
    const at = placeOf(own, sign)
    if (at === null || own.slice(at.to).trim() === nothing) return []
    return [side('else', { from: start + at.to, to: start + own.length, nothing })]
  })

/** `known.get(key, b)`, the same as a call. */
const otherwiseInCall = (called: RegExp, nothing: string): Maker =>
  each('call', (own, start) => {
    const name = called.exec(own)?.[0] ?? ''
    const at = name === '' ? null : placeOf(own.slice(name.length, -1), /,/)
    if (at === null || own.slice(name.length + at.to, -1).trim() === nothing) return []
    return [side('else', { from: start + name.length + at.to, to: start + own.length - 1, nothing })]
  })

const endedSide = (name: 'then' | 'else', place: Pick<Edit, 'start' | 'end' | 'by'>): Edit[] => [
  { ...place, what: sideEnds, rank: 2, side: name },
]

/** `known.unwrap_or(b)`, which must give what its type says: it ends instead. */
const endedUnwrap = each('call_expression', (own, start) => {
  const found = /\.unwrap_or(?:_else|_default)?\((?:[^()]|\([^()]*\))*\)$/.exec(own)
  return found === null
    ? []
    : endedSide('else', { start: start + found.index, end: start + own.length, by: '.unwrap()' })
})

/** `_ => b`, the same. */
const endedArm = each('match_arm', (own, start) =>
  /^_\s*=>/.test(own) ? endedSide('else', { start, end: start, by: '_ if true => unimplemented!(), ' }) : [],
)

/** The first of these signs that stands in no bracket and no text. */
function placeOf(own: string, sign: RegExp): { from: number; to: number } | null {
  const token = new RegExp(
    `(${sign.source})|"(?:\\\\.|[^"\\\\])*"|'(?:\\\\.|[^'\\\\])*'|\`(?:\\\\.|[^\`\\\\])*\`|[([{]|[)\\]}]|\\?[.?]`,
    'g',
  )
  let depth = 0
  for (const found of own.matchAll(token)) {
    if (/^[([{]$/.test(found[0])) depth += 1
    else if (/^[)\]}]$/.test(found[0])) depth -= 1
    else if (found[1] !== undefined && depth === 0) return { from: found.index, to: found.index + found[0].length }
  }
  return null
}

const lineBefore = (text: string, start: number): string => text.slice(text.lastIndexOf('\n', start) + 1, start)

/** A block that somebody enters ends at once. Whether anybody misses what only refuses is not asked. */
const endedSides = (kind: string, by: string): Maker =>
  each(kind, (own, start, { text }) => {
    const before = lineBefore(text, start)
    const name = /\belse\s*$/.test(before) ? 'else' : /\bif\b[^{}]*$/.test(before) ? 'then' : null
    if (name === null || !/\S/.test(own.slice(1, -1)) || refuses(text.slice(start + 1))) return []
    return endedSide(name, { start: start + 1, end: start + 1, by })
  })

const refuses = (block: string): boolean => /^\s*(?:throw|raise|panic)\b/.test(block)

/** `if (a) return b`, without a block. */
const endedReturns = each('return_statement', (own, start, { text }) => {
  const before = lineBefore(text, start)
  const name = /\belse\s+$/.test(before) ? 'else' : /\bif\s*\(.*\)\s*$/.test(before) ? 'then' : null
  const by = `throw new Error('broken')${own.endsWith(';') ? ';' : ''}`
  return name === null ? [] : endedSide(name, { start, end: start + own.length, by })
})

/** In Python, what stands below a question. */
const endedSuites = each('block', (_, start, { text }) => {
  const [indent = '', above = ''] = text.slice(0, start).split('\n').toReversed()
  const asked = /^\s*(if|elif|else)\b.*:\s*(?:#.*)?$/.exec(above)?.[1]
  if (asked === undefined || indent.trim() !== '' || refuses(text.slice(start))) return []
  return endedSide(asked === 'else' ? 'else' : 'then', {
    start,
    end: start,
    by: `raise RuntimeError("broken")\n${indent}`,
  })
})

const script = (...not: string[]): Maker[] => [
  emptyReturn('undefined'),
  emptyArrow,
  otherText('string', ['import_statement', ...not]),
  withoutCall('expression_statement', ';'),
  sidesOf('ternary_expression', { first: /\?(?![.?])/, second: /:/, givenFirst: false, nothing: 'undefined' }),
  otherwise('binary_expression', /\?\?/, 'undefined'),
  endedSides('statement_block', " throw new Error('broken');"),
  endedReturns,
]

const makers: Record<Grammar, Maker[]> = {
  javascript: script(),
  typescript: script('literal_type'),
  tsx: script('literal_type'),
  python: [
    emptyReturn('None'),
    otherText('string', ['import_statement', 'type']),
    withoutCall('expression_statement', 'pass'),
    sidesOf('conditional_expression', { first: /\bif\b/, second: /\belse\b/, givenFirst: true, nothing: 'None' }),
    otherwiseInCall(/^[\w.]+\.(?:get|pop|setdefault)\(/, 'None'),
    endedSuites,
  ],
  go: [
    otherText('interpreted_string_literal', ['import_declaration', 'field_declaration']),
    withoutCall('expression_statement', ''),
    endedBody('function_declaration', ' panic("broken");'),
    endedBody('method_declaration', ' panic("broken");'),
    endedSides('block', ' panic("broken");'),
  ],
  rust: [
    otherText('string_literal', ['attribute_item', 'extern_modifier']),
    withoutCall('expression_statement', '();'),
    endedBody('function_item', ' unimplemented!();'),
    endedSides('block', ' unimplemented!();'),
    endedUnwrap,
    endedArm,
  ],
}
