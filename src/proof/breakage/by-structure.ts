import { type CodeReader, type Grammar, grammarOf, type NodeSpan } from '../files/code-reader.ts'
import { type Edit, endsAtOnce, type Maker, productPart } from './edit.ts'
import { endedOtherwise, endedReturns, endedSides, endedSuites, otherwise, otherwiseInCall, sidesOf } from './sides.ts'

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
