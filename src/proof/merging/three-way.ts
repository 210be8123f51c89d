import { diffArrays } from 'diff'
import { textLines } from './resolution.ts'

/** What stands between two places where all three sequences are the same. */
export interface Hunk {
  base: string[]
  ours: string[]
  theirs: string[]
}

/** The merged sequence; `settle` is asked about each hunk that both sides changed differently, null: it cannot be. */
export function mergeSequences(
  { base, ours, theirs }: { base: readonly string[]; ours: readonly string[]; theirs: readonly string[] },
  settle: (hunk: Hunk) => string[] | null,
): string[] | null {
  const [left, right] = [matches(base, ours), matches(base, theirs)]
  if (left === null || right === null) return null
  const inTheirs = new Map(right.map((match) => [match.left, match.right]))
  const merged: string[] = []
  let [b, o, t] = [0, 0, 0]
  // Cut wherever all three agree, and at the end.
  for (const match of [...left, { left: base.length, right: ours.length }]) {
    const isEnd = match.left === base.length
    const other = isEnd ? theirs.length : inTheirs.get(match.left)
    if (other === undefined) continue
    const hunk = { base: base.slice(b, match.left), ours: ours.slice(o, match.right), theirs: theirs.slice(t, other) }
    const items = plain(hunk) ?? settle(hunk)
    if (items === null) return null
    for (const item of isEnd ? items : [...items, base[match.left]!]) merged.push(item)
    ;[b, o, t] = [match.left + 1, match.right + 1, other + 1]
  }
  return merged
}

/** What one side alone, or both alike, made of it. */
function plain({ base, ours, theirs }: Hunk): string[] | null {
  if (same(base, theirs) || same(ours, theirs)) return ours
  return same(base, ours) ? theirs : null
}

export const same = (left: readonly string[], right: readonly string[]): boolean =>
  left.length === right.length && left.every((item, index) => item === right[index])

/** What is in the second and not in the first, by place. */
export function added(before: readonly string[], after: readonly string[]): string[] {
  const kept = new Set((matches(before, after) ?? []).map((match) => match.right))
  return after.filter((_, index) => !kept.has(index))
}

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

const context = 2

/** What became of a text, as lines with `-`, `+` and a little around them. */
export function patchOf(before: string, after: string): string {
  const [left, right] = [textLines(before), textLines(after)]
  const found = matches(left, right)
  if (found === null) return '(almost every line is another)'
  const lines: { sign: string; text: string }[] = []
  let [l, r] = [0, 0]
  for (const match of [...found, { left: left.length, right: right.length }]) {
    while (l < match.left) lines.push({ sign: '-', text: left[l++]! })
    while (r < match.right) lines.push({ sign: '+', text: right[r++]! })
    if (l < left.length && r < right.length) lines.push({ sign: ' ', text: left[l]! })
    l++
    r++
  }
  return shown(lines)
}

function shown(lines: { sign: string; text: string }[]): string {
  const changed = lines.flatMap(({ sign }, index) => (sign === ' ' ? [] : [index]))
  const near = new Set(changed.flatMap((at) => Array.from({ length: 2 * context + 1 }, (_, i) => at - context + i)))
  const texts = lines.flatMap(({ sign, text }, index) => {
    if (near.has(index)) return [`${sign}${text.replace(/\n$/, '')}`]
    return near.has(index - 1) ? ['…'] : []
  })
  return texts.join('\n')
}
