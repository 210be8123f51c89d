/** From 0 to 1: how much two pieces of code have in common, whatever their layout. */
export function similarity(a: string, b: string): number {
  const [left, right] = [wordsOf(a), wordsOf(b)]
  if (left.size === 0 && right.size === 0) return 1
  let shared = 0
  for (const word of left) if (right.has(word)) shared += 1
  return shared / (left.size + right.size - shared)
}

const wordsOf = (text: string): Set<string> => new Set(text.match(/[\p{L}\p{N}_$]+/gu)?.slice(0, 2_000) ?? [])
