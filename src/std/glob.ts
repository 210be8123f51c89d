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
  const parts = (pattern.match(/\*\*\/|\*\*|./gsu) ?? []).toReversed()
  const chars = [...path]
  // For each part, whether it and all after it match what comes after this character, or after the next slash.
  let [rest, beyond]: boolean[][] = [[], []]
  for (let at = chars.length; at >= 0; at -= 1) {
    const char = chars[at]
    if (char === '/') beyond = rest
    const isWithin = char !== undefined && char !== '/'
    const now = [char === undefined || (orFolder && char === '/')]
    for (const [before, part] of parts.entries()) {
      // Places are counted from the end of the pattern.
      const isNothing = now[before] === true && part.startsWith('*')
      const goesOn = part === '**' || (part === '*' && char !== '/') ? rest![before + 1] : false
      const skips = part === '**/' && char !== '/' ? beyond![before + 1] : false
      const isOne = part === '?' ? isWithin : part === char
      now.push(isNothing || goesOn === true || skips === true || (isOne && rest![before] === true))
    }
    rest = now
  }
  return rest!.at(-1) === true
}
