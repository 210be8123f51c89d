import { textWidth } from '../../std/text-width.ts'
import type { Line, Span } from './line.ts'
import { textOf } from './line.ts'

/** Columns as wide as their widest cell; the last one is left as it is. */
export function table(rows: Span[][], indent = ''): Line[] {
  const widths: number[] = []
  for (const row of rows)
    row.forEach((cell, i) => {
      widths[i] = Math.max(widths[i] ?? 0, textWidth(cellText(cell)))
    })
  return rows.map((row) => [
    indent,
    ...row.flatMap((cell, i): Span[] => {
      const text = cellText(cell)
      const gap = i === row.length - 1 ? '' : ' '.repeat(widths[i]! - textWidth(text) + 2)
      return [typeof cell === 'string' ? text : { text, style: cell.style }, gap]
    }),
  ])
}

const cellText = (cell: Span): string => textOf(cell).replace(/\s+/g, ' ')
