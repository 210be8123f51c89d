import { textWidth } from '../../std/text/text-width.ts'
import type { Line, Span } from './line.ts'
import { textOf } from './line.ts'

const widest = 32

/** Columns as wide as their widest cell, but one long cell does not push all others away; the last is left as it is. */
export function table(rows: Span[][], indent = ''): Line[] {
  const widths: number[] = []
  for (const row of rows)
    row.forEach((cell, i) => {
      const width = textWidth(cellText(cell))
      widths[i] = Math.max(widths[i] ?? 0, width > widest ? 0 : width)
    })
  return rows.map((row) => [
    indent,
    ...row.flatMap((cell, i): Span[] => {
      const text = cellText(cell)
      const gap = i === row.length - 1 ? '' : ' '.repeat(Math.max(0, widths[i]! - textWidth(text)) + 2)
      return [typeof cell === 'string' ? text : { text, style: cell.style }, gap]
    }),
  ])
}

const cellText = (cell: Span): string => textOf(cell).replace(/\s+/g, ' ')
