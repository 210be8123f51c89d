import { plainText } from '../../std/text/plain-text.ts'

/** Whether all that is quoted is in one of the texts; what a diff puts before its lines, and blanks, do not count. */
export function isQuoted(evidence: string, texts: readonly string[]): boolean {
  const lines = linesOf(evidence)
  if (lines.join('').length < shortest) return false
  const wholes = texts.map((text) => linesOf(text).join('\n'))
  return wholes.some((whole) => lines.every((line) => whole.includes(line)))
}

/** A single bracket is in every file. */
const shortest = 4

/** Without what is taken out of an answer as well. */
const linesOf = (text: string): string[] =>
  plainText(text)
    .split('\n')
    .map((line) => line.trim().replace(/^[+-]/, '').replace(/\s+/g, ' ').trim())
    .filter((line) => line !== '')
