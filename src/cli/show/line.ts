import { inspect } from 'node:util'
import { plainText } from '../../std/text/plain-text.ts'
import { fitted, textWidth } from '../../std/text/text-width.ts'

export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan'
export type TextSpan = string | { text: string; style: Style }
/** What is shown is made of spans, and every span is made harmless before it is painted. */
export type ShownLine = TextSpan | TextSpan[]

const styled =
  (style: Style) =>
  (text: string): TextSpan => ({ text, style })

export const bold = styled('bold')
export const dim = styled('dim')
export const red = styled('red')
export const green = styled('green')
export const yellow = styled('yellow')
export const cyan = styled('cyan')

const spansOf = (line: ShownLine): TextSpan[] => (Array.isArray(line) ? line : [line])
export const spanText = (span: TextSpan): string => plainText(typeof span === 'string' ? span : span.text)
export const lineWidth = (line: ShownLine): number =>
  spansOf(line).reduce((sum, span) => sum + textWidth(spanText(span)), 0)

export function rendered(line: ShownLine, colour: boolean): string {
  return spansOf(line)
    .map((span) => painted(spanText(span), typeof span === 'string' || !colour ? null : span.style))
    .join('')
}

function painted(text: string, style: Style | null): string {
  if (style === null || text === '') return text
  const [on, off] = inspect.colors[style]!
  return `\x1b[${on}m${text}\x1b[${off}m`
}

/** On one row of so many columns. */
export function fittedLine(line: ShownLine, columns: number): TextSpan[] {
  let left = columns
  const kept: TextSpan[] = []
  for (const span of spansOf(line)) {
    const text = fitted(spanText(span).replace(/\s/g, ' '), left)
    if (text === '') continue
    kept.push(typeof span === 'string' ? text : { text, style: span.style })
    left -= textWidth(text)
  }
  return kept
}

const deeper = 2

/** Rows of so many columns, broken between words; what follows a break stands a little deeper than where it began. */
export function wrapped(line: ShownLine, columns: number): ShownLine[] {
  const rows: TextSpan[][] = [[]]
  let [width, hang, gap] = [0, 0, [] as TextSpan[]]
  const add = (spans: TextSpan[]) => {
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
function append(row: TextSpan[], span: TextSpan): void {
  const last = row.at(-1)
  if (last === undefined || styleOf(last) !== styleOf(span)) row.push(span)
  else
    row[row.length - 1] =
      typeof last === 'string' ? last + spanText(span) : { ...last, text: last.text + spanText(span) }
}

const styleOf = (span: TextSpan): string => (typeof span === 'string' ? '' : span.style)

interface Piece {
  kind: 'word' | 'gap' | 'end'
  spans: TextSpan[]
}

/** A word may be of several styles. */
function pieces(line: ShownLine): Piece[] {
  const found: Piece[] = []
  for (const span of spansOf(line))
    for (const text of spanText(span).match(/\n|[^\S\n]+|\S+/g) ?? []) {
      const kind = text === '\n' ? 'end' : text.trim() === '' ? 'gap' : 'word'
      const part = typeof span === 'string' ? text : { text, style: span.style }
      const last = found.at(-1)
      if (last?.kind === kind && kind !== 'end') last.spans.push(part)
      else found.push({ kind, spans: [part] })
    }
  return found
}

const widest = 32

/** Columns as wide as their widest cell, but one long cell does not push all others away; the last is left as it is. */
export function table(rows: TextSpan[][], indent = ''): ShownLine[] {
  const widths: number[] = []
  for (const row of rows)
    row.forEach((cell, i) => {
      const width = textWidth(cellText(cell))
      widths[i] = Math.max(widths[i] ?? 0, width > widest ? 0 : width)
    })
  return rows.map((row) => [
    indent,
    ...row.flatMap((cell, i): TextSpan[] => {
      const text = cellText(cell)
      const gap = i === row.length - 1 ? '' : ' '.repeat(Math.max(0, widths[i]! - textWidth(text)) + 2)
      return [typeof cell === 'string' ? text : { text, style: cell.style }, gap]
    }),
  ])
}

const cellText = (cell: TextSpan): string => spanText(cell).replace(/\s+/g, ' ')

/** A table that stands below a title. */
export const tableUnder = <Item>(items: readonly Item[], cells: (item: Item) => TextSpan[]): ShownLine[] =>
  table(items.map(cells), '  ')

/** A title over what it is about, and nothing where there is nothing. */
export const titled = (title: ShownLine, lines: ShownLine[]): ShownLine[] =>
  lines.length === 0 ? [] : [title, ...lines]

/** The same for plain texts. */
export const textsUnder = (title: ShownLine, texts: string[]): ShownLine[] =>
  texts.length === 0 ? [] : [title, ...texts.map((text) => `  ${text}`)]

/** The first of many, and one line that counts the rest. */
export const atMost = (most: number, lines: ShownLine[], rest: (left: number) => ShownLine): ShownLine[] =>
  lines.length <= most ? lines : [...lines.slice(0, most), rest(lines.length - most)]

const two = (n: number): string => String(n).padStart(2, '0')

/** The local time of day. */
export function clockText(at: number): string {
  const date = new Date(at)
  return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`
}

/** Without seconds, and with the day unless it is within the next twelve hours. */
export function momentText(at: number, now: number): string {
  const whole = dateText(at).slice(0, -3)
  return at - now < 12 * 3_600_000 ? whole.slice(-5) : whole
}

/** With the day, for what may be long ago. */
export function dateText(at: number): string {
  const date = new Date(at)
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${clockText(at)}`
}
