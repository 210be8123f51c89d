import { plainText } from '../../std/text/plain-text.ts'
import { fitted, textWidth } from '../../std/text/text-width.ts'

export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan'
export type Span = string | { text: string; style: Style }
/** What is shown is made of spans, and every span is made harmless before it is painted. */
export type Line = Span | Span[]

const styled =
  (style: Style) =>
  (text: string): Span => ({ text, style })

export const bold = styled('bold')
export const dim = styled('dim')
export const red = styled('red')
export const green = styled('green')
export const yellow = styled('yellow')
export const cyan = styled('cyan')

const codes: Record<Style, [number, number]> = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
}

export const spansOf = (line: Line): Span[] => (Array.isArray(line) ? line : [line])
export const textOf = (span: Span): string => plainText(typeof span === 'string' ? span : span.text)
export const lineWidth = (line: Line): number => spansOf(line).reduce((sum, span) => sum + textWidth(textOf(span)), 0)

export function rendered(line: Line, colour: boolean): string {
  return spansOf(line)
    .map((span) => painted(textOf(span), typeof span === 'string' || !colour ? null : span.style))
    .join('')
}

function painted(text: string, style: Style | null): string {
  if (style === null || text === '') return text
  const [on, off] = codes[style]
  return `\x1b[${on}m${text}\x1b[${off}m`
}

/** On one row of so many columns. */
export function fittedLine(line: Line, columns: number): Span[] {
  let left = columns
  const kept: Span[] = []
  for (const span of spansOf(line)) {
    const text = fitted(textOf(span).replace(/\s/g, ' '), left)
    if (text === '') continue
    kept.push(typeof span === 'string' ? text : { text, style: span.style })
    left -= textWidth(text)
  }
  return kept
}
