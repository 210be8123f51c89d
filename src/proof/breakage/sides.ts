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

/** The first of these signs that stands in no bracket and no text. */
function placeOf(own: string, sign: RegExp): { from: number; to: number } | null {
  const token = new RegExp(
    `"(?:\\\\.|[^"\\\\])*"|'(?:\\\\.|[^'\\\\])*'|\`(?:\\\\.|[^\`\\\\])*\`|[([{]|[)\\]}]|\\?[.?]|(${sign.source})`,
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

/** Where a block must give what its type says, it ends instead. */
export const endedSides =
  (by: string): Maker =>
  ({ text, nodes }) =>
    nodes('block').flatMap(({ start, end }): Edit[] => {
      const before = text.slice(text.lastIndexOf('\n', start) + 1, start)
      const name = /\belse\s*$/.test(before) ? 'else' : /\bif\b[^{}]*$/.test(before) ? 'then' : null
      if (name === null || !/\S/.test(text.slice(start + 1, end - 1))) return []
      return [{ start: start + 1, end: start + 1, by, what: sideEnds, rank: 2, side: name }]
    })
