import type { Language, NodeSpan } from '../files/test-file.ts'

/** One replacement in a text. */
export interface Edit {
  start: number
  end: number
  by: string
  what: string
  /** Lower is better: a value that differs is noticed by assertions alone, what ends the run by anything. */
  rank: number
  /** One side of a choice, or the edge between them: what tests see may be the other side alone. */
  side?: 'then' | 'else' | 'edge'
}

/** Finds edits of one kind by the nodes of a text. */
export type Maker = (given: { text: string; nodes: (...kinds: string[]) => NodeSpan[] }) => Edit[]

/** Whoever calls it notices, whether it asserts anything or not. */
export const endsAtOnce = 'the function ends before it begins'
export const sideEnds = 'this side of the choice ends before it begins'

/** Rust keeps its tests below the code. */
export function productPart(path: string, text: string): string {
  const tests = path.endsWith('.rs') ? text.search(/^[ \t]*#\[cfg\(test\)\]/m) : -1
  return tests === -1 ? text : text.slice(0, tests)
}

const strings = '"(?:\\\\.|[^"\\\\\\n])*"|\'(?:\\\\.|[^\'\\\\\\n])*\'|`(?:\\\\.|[^`\\\\])*`'
const withSlashes = new RegExp(`//[^\\n]*|/\\*[\\s\\S]*?\\*/|${strings}`, 'g')
const withHashes = new RegExp(`"""[\\s\\S]*?"""|'''[\\s\\S]*?'''|#[^\\n]*|${strings}`, 'g')

/** The text with its strings and comments blanked, for languages that no parser here knows. */
export const mask = (text: string, language: Language): string =>
  text.replace(hashed.includes(language) ? withHashes : withSlashes, (part) => part.replace(/[^\n]/g, ' '))

const hashed: Language[] = ['python', 'ruby', 'other']
