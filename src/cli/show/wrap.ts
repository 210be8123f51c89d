import type { Line, Span } from './line.ts'
import { lineWidth, spansOf, textOf } from './line.ts'

const deeper = 2

/** Rows of so many columns, broken between words; what follows a break stands a little deeper than where it began. */
export function wrapped(line: Line, columns: number): Line[] {
  const rows: Span[][] = [[]]
  let [width, hang, gap] = [0, 0, [] as Span[]]
  const add = (spans: Span[]) => {
    for (const span of spans) append(rows.at(-1)!, span)
    width += lineWidth(spans)
  }
  const open = (indent: number) => {
    rows.push(indent === 0 ? [] : [' '.repeat(indent)])
    ;[width, gap] = [indent, []]
  }
  let isFirst = true
  for (const piece of pieces(line)) {
    if (piece.kind === 'end') open(0)
    else if (piece.kind === 'gap') gap = piece.spans
    else if (isFirst) hang = Math.min(lineWidth(gap) + deeper, Math.floor(columns / 2))
    else if (width + lineWidth(gap) + lineWidth(piece.spans) > columns) open(hang)
    if (piece.kind === 'word') add([...gap.splice(0), ...piece.spans])
    if (piece.kind !== 'gap') isFirst = piece.kind === 'end'
  }
  return rows
}

/** Words of one style stay one span: whoever searches what was printed finds them side by side. */
function append(row: Span[], span: Span): void {
  const last = row.at(-1)
  if (last === undefined || styleOf(last) !== styleOf(span)) row.push(span)
  else
    row[row.length - 1] = typeof last === 'string' ? last + textOf(span) : { ...last, text: last.text + textOf(span) }
}

const styleOf = (span: Span): string => (typeof span === 'string' ? '' : span.style)

interface Piece {
  kind: 'word' | 'gap' | 'end'
  spans: Span[]
}

/** A word may be of several styles. */
function pieces(line: Line): Piece[] {
  const found: Piece[] = []
  for (const span of spansOf(line))
    for (const text of textOf(span).match(/\n|[^\S\n]+|\S+/g) ?? []) {
      const kind = text === '\n' ? 'end' : text.trim() === '' ? 'gap' : 'word'
      const part = typeof span === 'string' ? text : { text, style: span.style }
      const last = found.at(-1)
      if (last?.kind === kind && kind !== 'end') last.spans.push(part)
      else found.push({ kind, spans: [part] })
    }
  return found
}
