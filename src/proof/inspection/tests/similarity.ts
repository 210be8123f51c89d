/** From 0 to 1: how much two pieces of code have in common, whatever their layout. */
export function similarity(left: ReadonlySet<string>, right: ReadonlySet<string>): number {
  if (left.size === 0 && right.size === 0) return 1
  let shared = 0
  for (const word of left) if (right.has(word)) shared += 1
  return shared / (left.size + right.size - shared)
}

export const wordsOf = (text: string): Set<string> =>
  new Set(
    text
      .slice(0, 20_000)
      .match(/[\p{L}\p{N}_$]+/gu)
      ?.slice(0, 2_000) ?? [],
  )
