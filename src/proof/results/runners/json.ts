// JSON among other output.
import { objectOf, parseJson } from '../../../std/json.ts'
import type { Report } from '../check-result.ts'
import { brokenOff } from '../report.ts'

type JsonObject = Record<string, unknown>

/** The reports in JSON that begin like this, of those that are ours; null as a value: it breaks off. */
export function jsonReports(
  text: string,
  start: RegExp,
  {
    isOurs,
    read,
  }: { isOurs(value: JsonObject | null, head: string): boolean; read(value: JsonObject, at: At): Report },
): Report[] {
  let to = 0
  return [...text.matchAll(start)].flatMap((found) => {
    if (found.index < to) return []
    const end = endOf(text, found.index)
    const known = end === -1 ? null : parseJson(text.slice(found.index, end))
    const value = known === null ? null : objectOf(known)
    to = end === -1 ? text.length : end
    if (!isOurs(value, found[0])) return []
    const at = { from: found.index, to }
    return [value === null ? brokenOff(at, { problem: jsonBrokeOff }) : read(value, at)]
  })
}

type At = Pick<Report, 'from' | 'to'>

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
const jsonBrokeOff =
  'its JSON broke off; of a printed line at most 1 MB is kept, so let it write its report to $ROPEWALK_REPORT'
