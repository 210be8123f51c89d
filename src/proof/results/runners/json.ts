// JSON among other output.
import { objectOf, parseJson } from '../../../std/json.ts'

/** The object that begins at a brace, and where it ends; null when it breaks off there. */
export function readJsonFrom(text: string, from: number): { value: Record<string, unknown> | null; end: number } {
  const end = endOf(text, from)
  const value = end === -1 ? null : parseJson(text.slice(from, end))
  return { value: value === null ? null : objectOf(value), end: end === -1 ? text.length : end }
}

function endOf(text: string, from: number): number {
  const token = /["{}]/g
  token.lastIndex = from
  let depth = 0
  for (let found = token.exec(text); found !== null; found = token.exec(text)) {
    if (found[0] === '"') {
      const close = endOfString(text, found.index + 1)
      if (close === -1) return -1
      token.lastIndex = close
    } else depth += found[0] === '{' ? 1 : -1
    if (depth === 0) return token.lastIndex
  }
  return -1
}

function endOfString(text: string, from: number): number {
  const token = /\\.|"/gs
  token.lastIndex = from
  for (let found = token.exec(text); found !== null; found = token.exec(text))
    if (found[0] === '"') return token.lastIndex
  return -1
}

/** The longest line that is kept of an output is shorter than the report of a large suite. */
export const jsonBrokeOff =
  'its JSON broke off; of a printed line at most 1 MB is kept, so let it write its report to $ROPEWALK_REPORT'
