import { diffArrays } from 'diff'

export interface Match {
  left: number
  right: number
}

const mostEdits = 2_000

/** Pairs of equal items, ascending on both sides; null when the two have too little in common to be compared. */
export function matches(left: readonly string[], right: readonly string[]): Match[] | null {
  const parts = diffArrays([...left], [...right], { maxEditLength: mostEdits })
  if (parts === undefined) return null
  const at = { left: 0, right: 0 }
  const found: Match[] = []
  for (const { added, removed, count } of parts) {
    if (!added && !removed) for (let by = 0; by < count; by++) found.push({ left: at.left + by, right: at.right + by })
    if (!added) at.left += count
    if (!removed) at.right += count
  }
  return found
}
