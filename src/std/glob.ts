// Paths with `*` (within a folder), `**` (across folders), `?`; everything else is literal.

/** Whether the pattern names the path, or a folder that holds it. */
export function covers(pattern: string, path: string): boolean {
  const clean = pattern.replace(/^\.\//, '').replace(/\/+$/, '')
  return clean !== '' && globExpression(clean).test(path)
}

export const coversAny = (patterns: readonly string[], path: string): boolean =>
  patterns.some((pattern) => covers(pattern, path))

/** Whether the pattern names exactly this path. */
export function fullyMatches(pattern: string, path: string): boolean {
  const clean = pattern.replace(/^\.\//, '').replace(/\/+$/, '')
  return new RegExp(`^${expressionOf(clean)}$`, 's').test(path)
}

const globExpression = (pattern: string): RegExp => new RegExp(`^${expressionOf(pattern)}(?:/.*)?$`, 's')

function expressionOf(pattern: string): string {
  const parts = pattern.split(/(\*\*\/|\*\*|\*|\?)/).map((part) => {
    if (part === '**/') return '(?:[^/]+/)*'
    if (part === '**') return '.*'
    if (part === '*') return '[^/]*'
    if (part === '?') return '[^/]'
    return part.replace(/[.+^${}()|[\]\\]/g, '\\$&')
  })
  return parts.join('')
}
