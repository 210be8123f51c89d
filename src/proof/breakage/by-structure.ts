import { type CodeReader, type Grammar, grammarOf, type NodeSpan } from '../files/code-reader.ts'
import { type Edit, endsAtOnce, type Maker, productPart, sideEnds } from './edit.ts'

/** What takes more than a word: values that are returned, texts, calls that are left out, bodies. */
export function structuralEdits(path: string, text: string, code: CodeReader | null): Edit[] {
  const grammar = grammarOf(path)
  if (grammar === null || code === null) return []
  const end = productPart(path, text).length
  const nodes = (...kinds: string[]): NodeSpan[] =>
    (code.nodes(grammar, text, kinds) ?? []).filter((node) => node.end <= end)
  return makers[grammar].flatMap((make) => make({ text, nodes }))
}

/** `return x` gives nothing. */
const emptyReturn =
  (nothing: string): Maker =>
  ({ text, nodes }) =>
    nodes('return_statement').flatMap(({ start, end }) => {
      const own = text.slice(start, end)
      const value = /^return\b(?!\s*;?\s*$)/.test(own)
      const closed = own.endsWith(';') ? ';' : ''
      const same = own.replace(/;$/, '') === `return ${nothing}`
      if (!value || same) return []
      return [{ start, end, by: `return ${nothing}${closed}`, what: `what is returned became ${nothing}`, rank: 2 }]
    })

/** `(a) => x` gives nothing. */
const emptyArrow: Maker = ({ text, nodes }) => {
  const lists = nodes('formal_parameters')
  return nodes('arrow_function').flatMap(({ start, end }) => {
    const params = lists.find((node) => node.start >= start && node.start < end)
    const from = params !== undefined && text.slice(start, params.start).indexOf('=>') === -1 ? params.end : start
    const sign = text.indexOf('=>', from)
    if (sign === -1 || sign >= end) return []
    const body = sign + 2 + /^\s*/.exec(text.slice(sign + 2, end))![0].length
    if (text[body] === '{' || text.slice(body, end) === 'undefined') return []
    return [{ start: body, end, by: 'undefined', what: 'what is returned became undefined', rank: 2 }]
  })
}

/** A text with one sign more; not where it names something that is loaded, and not what only explains. */
const otherText =
  (kind: string, not: string[]): Maker =>
  ({ text, nodes }) => {
    const others = not.length === 0 ? [] : nodes(...not)
    return nodes(kind).flatMap(({ start, end }) => {
      const own = text.slice(start, end)
      const plain = /^[bru]*(["'])(?!\1)[^\\\n]+\1$/i.test(own)
      const inOther = others.some((one) => one.start <= start && end <= one.end)
      if (!plain || inOther || /(?:require|import)\s*\(\s*$/.test(text.slice(Math.max(0, start - 20), start))) return []
      return [{ start: end - 1, end: end - 1, by: '~', what: `the text ${own.slice(0, 40)} became another`, rank: 3 }]
    })
  }

/** A call whose result nobody takes is left out. */
const withoutCall =
  (kind: string, by: string): Maker =>
  ({ text, nodes }) =>
    nodes(kind).flatMap(({ start, end }) => {
      const own = text.slice(start, end)
      if (!/^(?:await\s+)?[\w$.?!]+\(/.test(own) || !/\)\s*;?$/.test(own) || /^super\b/.test(own)) return []
      return [{ start, end, by, what: `the call ${own.split('(', 1)[0]!.slice(0, 40)}() was left out`, rank: 4 }]
    })

/** A body that ends at once: it compiles whatever it should give. */
const endedBody =
  (kind: string, by: string): Maker =>
  ({ text, nodes }) => {
    const blocks = nodes('block')
    return nodes(kind).flatMap(({ start, end }) => {
      const body = blocks.find((block) => block.start > start && block.end === end)
      if (body === undefined || !/\S/.test(text.slice(body.start + 1, body.end - 1))) return []
      return [{ start: body.start + 1, end: body.start + 1, by, what: endsAtOnce, rank: 5 }]
    })
  }

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
export const sidesOf =
  (kind: string, { first, second, givenFirst, nothing }: Signs): Maker =>
  ({ text, nodes }) =>
    nodes(kind).flatMap(({ start, end }) => {
      const own = text.slice(start, end)
      const [one, other] = [placeOf(own, first), placeOf(own, second)]
      if (one === null || other === null || other.from < one.to) return []
      const then = givenFirst ? { from: 0, to: one.from } : { from: one.to, to: other.from }
      return [
        side('then', { from: start + then.from, to: start + then.to, nothing }),
        side('else', { from: start + other.to, to: end, nothing }),
      ]
    })

function side(name: 'then' | 'else', { from, to, nothing }: { from: number; to: number; nothing: string }): Edit {
  const what = name === 'then' ? `what is given if so became ${nothing}` : `what is given otherwise became ${nothing}`
  return { start: from, end: to, by: ` ${nothing} `, what, rank: -1, side: name }
}

/** `a ?? b`: what is given where there is nothing is nothing, too. */
export const otherwise =
  (kind: string, sign: RegExp, nothing: string): Maker =>
  ({ text, nodes }) =>
    nodes(kind).flatMap(({ start, end }) => {
      const at = placeOf(text.slice(start, end), sign)
      const own = at === null ? '' : text.slice(start + at.to, end).trim()
      return at === null || own === nothing ? [] : [side('else', { from: start + at.to, to: end, nothing })]
    })

/** `known.get(key, b)`, the same as a call. */
export const otherwiseInCall =
  (called: RegExp, nothing: string): Maker =>
  ({ text, nodes }) =>
    nodes('call').flatMap(({ start, end }) => {
      const name = called.exec(text.slice(start, end))?.[0]
      const at = name === undefined ? null : placeOf(text.slice(start + name.length, end - 1), /,/)
      if (at === null || text.slice(start + name!.length + at.to, end - 1).trim() === nothing) return []
      return [side('else', { from: start + name!.length + at.to, to: end - 1, nothing })]
    })

/** `known.unwrap_or(b)` and `_ => b`, which must give what their type says: they end instead. */
export const endedOtherwise: Maker = ({ text, nodes }) => [
  ...nodes('call_expression').flatMap(({ start, end }): Edit[] => {
    const found = /\.unwrap_or(?:_else|_default)?\((?:[^()]|\([^()]*\))*\)$/.exec(text.slice(start, end))
    if (found === null) return []
    return [{ start: start + found.index, end, by: '.unwrap()', what: sideEnds, rank: 2, side: 'else' }]
  }),
  ...nodes('match_arm').flatMap(({ start, end }): Edit[] =>
    /^_\s*=>/.test(text.slice(start, end))
      ? [{ start, end: start, by: '_ if true => unimplemented!(), ', what: sideEnds, rank: 2, side: 'else' }]
      : [],
  ),
]

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

/** A block that somebody enters ends at once. Whether anybody misses what only refuses is not asked. */
export const endedSides =
  (kind: string, by: string): Maker =>
  ({ text, nodes }) =>
    nodes(kind).flatMap(({ start, end }): Edit[] => {
      const before = text.slice(text.lastIndexOf('\n', start) + 1, start)
      const name = /\belse\s*$/.test(before) ? 'else' : /\bif\b[^{}]*$/.test(before) ? 'then' : null
      if (name === null || !/\S/.test(text.slice(start + 1, end - 1)) || refuses(text.slice(start + 1))) return []
      return [{ start: start + 1, end: start + 1, by, what: sideEnds, rank: 2, side: name }]
    })

const refuses = (block: string): boolean => /^\s*(?:throw|raise|panic)\b/.test(block)

/** `if (a) return b`, without a block. */
export const endedReturns: Maker = ({ text, nodes }) =>
  nodes('return_statement').flatMap(({ start, end }): Edit[] => {
    const before = text.slice(text.lastIndexOf('\n', start) + 1, start)
    const name = /\belse\s+$/.test(before) ? 'else' : /\bif\s*\(.*\)\s*$/.test(before) ? 'then' : null
    const by = `throw new Error('broken')${text[end - 1] === ';' ? ';' : ''}`
    return name === null ? [] : [{ start, end, by, what: sideEnds, rank: 2, side: name }]
  })

/** In Python, what stands below a question. */
export const endedSuites: Maker = ({ text, nodes }) =>
  nodes('block').flatMap(({ start }): Edit[] => {
    const [indent = '', above = ''] = text.slice(0, start).split('\n').toReversed()
    const asked = /^\s*(if|elif|else)\b.*:\s*(?:#.*)?$/.exec(above)?.[1]
    if (asked === undefined || indent.trim() !== '' || refuses(text.slice(start))) return []
    const by = `raise RuntimeError("broken")\n${indent}`
    return [{ start, end: start, by, what: sideEnds, rank: 2, side: asked === 'else' ? 'else' : 'then' }]
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
    endedOtherwise,
  ],
}
