/** A function that stands by itself in a file, with its lines, from 1. */
export interface PlacedFunction {
  name: string
  line: number
  until: number
}

const declaration =
  /^(?:export\s+)?(?:default\s+)?(?:async\s+)?(?:pub(?:\([^)]*\))?\s+)?(function\*?|def|func(?:\s*\([^)]*\))?|(?:const\s+)?(?:unsafe\s+)?fn|const|let|class|var)\s+(\w+)(.*)/

/** The name that a line at the left margin declares. */
export const declaredOn = (line: string): string | null => declaration.exec(line)?.[2] ?? null

export function functionsIn(text: string): PlacedFunction[] {
  const lines = text.split('\n')
  return lines.flatMap((line, index) => {
    const [, kind = '', name = '', rest = ''] = declaration.exec(line) ?? []
    const isFunction = /^(?:const|let|var)$/.test(kind) ? gives.test(rest) : kind !== '' && kind !== 'class'
    return isFunction ? [{ name, line: index + 1, until: endOf(lines, index) }] : []
  })
}

/**
 * The lines, in a later version, of the function that a line stands in; null: it is in none, or that is not there any
 * more. What else is in the file says nothing about it.
 */
export function linesOfSame(before: string, line: number, after: string): Set<number> | null {
  const own = functionsIn(before).find((one) => one.line <= line && line <= one.until)
  const same = functionsIn(after).filter(({ name }) => name === own?.name)
  return same.length === 1 ? linesOf(same[0]!) : null
}

export const linesOf = ({ line, until }: PlacedFunction): Set<number> =>
  new Set(Array.from({ length: until - line + 1 }, (_, by) => line + by))

const gives = /^\s*=\s*(?:async\s+)?(?:function\b|\([^()]*(?:\([^()]*\)[^()]*)*\)\s*(?::[^=]+)?=>|\w+\s*=>|\(\s*$)/

/** What is indented, or closes what was begun, belongs to it still. */
function endOf(lines: string[], start: number): number {
  let end = start + 1
  while (end < lines.length && /^(?:\s|[})\]]|$)/.test(lines[end]!)) end += 1
  while (end > start + 1 && lines[end - 1]!.trim() === '') end -= 1
  return end
}
