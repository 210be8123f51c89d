import { matcherFor, plainLines } from '../../proof/review/quotation.ts'

/** Whether all that is quoted is in one of the texts; what a diff puts before its lines, and blanks, do not count. */
export function isQuoted(evidence: string, texts: readonly string[]): boolean {
  const quoted = linesOf(evidence)
  const has = matcherFor(quoted)
  if (has === null) return false
  return texts.map(linesOf).some((lines) => quoted.every((one) => lines.some((line) => has(line, one))))
}

const linesOf = (text: string): string[] => plainLines(text).filter((line) => line !== '')
