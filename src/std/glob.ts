// Paths with `*` (within a folder), `**` (across folders), `?`; everything else is literal.

/** Whether the pattern names the path, or a folder that holds it. */
export function covers(pattern: string, path: string): boolean {
  const clean = cleaned(pattern)
  if (!/[*?]/.test(clean)) return clean !== '' && (path === clean || path.startsWith(`${clean}/`))
  return matches(clean, path, true)
}

export const coversAny = (patterns: readonly string[], path: string): boolean =>
  patterns.some((pattern) => covers(pattern, path))

/** Whether the pattern names exactly this path. */
export const fullyMatches = (pattern: string, path: string): boolean => matches(cleaned(pattern), path, false)

const cleaned = (pattern: string): string => pattern.replace(/^\.\//, '').replace(/\/+$/, '')

/**
 * From the end of the path, all ways at once: an expression tries one after the other, and with a row of wildcards there
 * is no end to them.
 */
function matches(pattern: string, path: string, orFolder: boolean): boolean {
  const parts = pattern.match(/\*\*\/|\*\*|./gsu) ?? []
  const chars = [...path]
  // For each part, whether it and all after it match what comes after this character, or after the next slash.
  let [rest, beyond]: boolean[][] = [[], []]
  for (let at = chars.length; at >= 0; at -= 1) {
    const char = chars[at]
    if (char === '/') beyond = rest
    const now: boolean[] = []
    now[parts.length] = char === undefined || (orFolder && char === '/')
    for (let place = parts.length - 1; place >= 0; place -= 1)
      now[place] = holds({ part: parts[place]!, place, char, now, rest: rest!, beyond: beyond! })
    rest = now
  }
  return rest![0] === true
}

interface Place {
  part: string
  place: number
  /** Undefined behind the last. */
  char: string | undefined
  now: boolean[]
  rest: boolean[]
  beyond: boolean[]
}

function holds({ part, place, char, now, rest, beyond }: Place): boolean {
  const isNothing = now[place + 1] === true
  switch (part) {
    case '**':
      return isNothing || rest[place] === true
    case '**/':
      return isNothing || (char !== '/' && beyond[place] === true)
    case '*':
      return isNothing || (char !== '/' && rest[place] === true)
    default:
      return (part === '?' ? char !== undefined && char !== '/' : part === char) && rest[place + 1] === true
  }
}
