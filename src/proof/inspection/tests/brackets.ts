/** The place after the bracket (or the string) that closes the one here. */
export function closing(masked: string, open: number): number {
  if (masked[open] === '`') return Math.max(open + 1, masked.indexOf('`', open + 1) + 1)
  let depth = 0
  const end = Math.min(masked.length, open + longestBracket)
  for (let at = open; at < end; at++) {
    depth += bracket(masked.charCodeAt(at))
    if (depth === 0) return at + 1
  }
  return end
}

/** Further than any argument list reaches; a file without closing brackets must not be read again for each of them. */
const longestBracket = 50_000

/** For every bracket at once, where it is closed. */
export function closings(masked: string): (open: number) => number {
  const ends = new Map<number, number>()
  const opened: number[] = []
  for (let at = 0; at < masked.length; at++) {
    const change = bracket(masked.charCodeAt(at))
    if (change === 1) opened.push(at)
    else if (change === -1 && opened.length > 0) ends.set(opened.pop()!, at + 1)
  }
  return (open) => ends.get(open) ?? (masked[open] === '`' ? closing(masked, open) : masked.length)
}

/** 1 for `([{`, -1 for `)]}`. */
function bracket(code: number): -1 | 0 | 1 {
  if (code === 40 || code === 91 || code === 123) return 1
  return code === 41 || code === 93 || code === 125 ? -1 : 0
}

/** What stands between commas that no bracket hides. */
export function splitArguments(text: string, masked: string): string[] {
  const parts: string[] = []
  let [depth, start] = [0, 0]
  for (let at = 0; at < masked.length; at++) {
    depth += bracket(masked.charCodeAt(at))
    if (masked[at] === ',' && depth === 0) {
      parts.push(text.slice(start, at))
      start = at + 1
    }
  }
  parts.push(text.slice(start))
  return parts.map((part) => part.replace(/\s+/g, ' ').trim()).filter((part) => part !== '')
}

/** The text with everything in brackets taken out. */
export function withoutBrackets(text: string): string {
  const pieces: string[] = []
  let [depth, from] = [0, 0]
  for (let at = 0; at < text.length; at++) {
    const change = bracket(text.charCodeAt(at))
    if (change === 1 && depth++ === 0) pieces.push(text.slice(from, at), '_')
    if (change === -1 && depth > 0 && --depth === 0) from = at + 1
  }
  return depth > 0 ? pieces.join('') : [...pieces, text.slice(from)].join('')
}
