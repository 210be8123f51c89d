/** One replacement in a text. */
export interface Edit {
  start: number
  end: number
  by: string
  what: string
  /** Lower is better: a value that differs is noticed by assertions alone, what ends the run by anything. */
  rank: number
}

/** Whoever calls it notices, whether it asserts anything or not. */
export const endsAtOnce = 'the function ends before it begins'

/** Rust keeps its tests below the code. */
export function productPart(path: string, text: string): string {
  const tests = path.endsWith('.rs') ? text.search(/^[ \t]*#\[cfg\(test\)\]/m) : -1
  return tests === -1 ? text : text.slice(0, tests)
}
