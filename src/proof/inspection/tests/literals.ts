const pattern = /(["'`])(?:[^"'`]*?)\1|(?<![\w.])-?\d[\d_.]*\w*|\b(?:true|false|null|undefined|None|True|False|nil)\b/g

/** Literals of a text, quotes and spacing evened out. */
export function literalsOf(text: string, masked: string): string[] {
  return [...masked.matchAll(pattern)].map((found) => {
    const written = text.slice(found.index, found.index + found[0].length)
    return found[1] === undefined ? written.replaceAll('_', '') : `"${insideOf(written)}"`
  })
}

/** A snapshot within the test is a quoted text in a quoted text. */
const insideOf = (quoted: string): string =>
  quoted
    .slice(1, -1)
    .replace(/\s+/g, ' ')
    .replace(/^(['"])(.*)\1$/, '$2')

/** What of the first list the second does not have as often. */
export function missing(wanted: readonly string[], present: readonly string[]): string[] {
  const counts = new Map<string, number>()
  for (const one of present) counts.set(one, (counts.get(one) ?? 0) + 1)
  return wanted.filter((one) => {
    const count = counts.get(one) ?? 0
    counts.set(one, count - 1)
    return count <= 0
  })
}
