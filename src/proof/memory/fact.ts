import { oneLine } from '../../std/text/plain-text.ts'

/** One line about a repository. */
export interface Fact {
  about: string
  text: string
}

const longest = 400

/** What was found, on one line and without anything that could move a cursor; empty when nothing was. */
export const fact = (about: string, found: string[]): Fact => ({ about, text: oneLine(found.join('; '), longest) })

export const listed = (items: string[]): string => items.join(', ')

/** The most frequent ones; of equals the first in the alphabet, so that the same input gives the same facts. */
export function mostOf(items: readonly string[], limit: number): [string, number][] {
  const counts = new Map<string, number>()
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1)
  return [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).slice(0, limit)
}
