export type Grammar = 'javascript' | 'typescript' | 'tsx' | 'python' | 'go' | 'rust'

/** A node of a syntax tree, by its kind and its place in the text. */
export interface NodeSpan {
  kind: string
  start: number
  end: number
}

/** Reads code by its structure. It never throws for what the code says: what does not parse has nodes called `ERROR`. */
export interface CodeReader {
  /** All nodes of these kinds, outer before inner; null where the grammar could not be loaded. */
  nodes(grammar: Grammar, text: string, kinds: readonly string[]): NodeSpan[] | null
  /** What could not be loaded, and what that means, for the report. */
  concerns: readonly string[]
}

export function grammarOf(path: string): Grammar | null {
  if (/\.[cm]?jsx?$/.test(path)) return 'javascript'
  if (/\.[cm]?ts$/.test(path)) return 'typescript'
  if (path.endsWith('.tsx')) return 'tsx'
  if (path.endsWith('.py')) return 'python'
  if (path.endsWith('.go')) return 'go'
  return path.endsWith('.rs') ? 'rust' : null
}
