import { plainText } from '../../std/text/plain-text.ts'

/** Text of others as data: the fence is longer than any in the text, so nothing in it can close it. */
export function fenced(text: string, label: string): string {
  const shown = plainText(text).trimEnd()
  const longest = Math.max(2, ...[...shown.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}${label}\n${shown}\n${fence}`
}
