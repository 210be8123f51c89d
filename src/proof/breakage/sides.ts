// Code may do one thing where tests look and another elsewhere: each side of a choice is broken for itself.
import { type Edit, type Maker, sideEnds } from './edit.ts'

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
