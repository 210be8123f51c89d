import { diffArrays } from 'diff'
import { linesOf } from './resolution.ts'

/** What stands between two places where all three sequences are the same. */
export interface Hunk {
  base: string[]
  ours: string[]
  theirs: string[]
}

/** The whole of three sequences, cut where they agree; null when they cannot be compared. */
export function threeWay(
  base: readonly string[],
  ours: readonly string[],
  theirs: readonly string[],
): (Hunk | { same: string[] })[] | null {
  const [left, right] = [matches(base, ours), matches(base, theirs)]
  if (left === null || right === null) return null
  const inOurs = new Map(left.map((match) => [match.left, match.right]))
  const inTheirs = new Map(right.map((match) => [match.left, match.right]))
  const parts: (Hunk | { same: string[] })[] = []
  const at = { base: 0, ours: 0, theirs: 0 }
  const cutTo = (b: number, o: number, t: number): void => {
    const hunk = { base: base.slice(at.base, b), ours: ours.slice(at.ours, o), theirs: theirs.slice(at.theirs, t) }
    if (hunk.base.length + hunk.ours.length + hunk.theirs.length > 0) parts.push(hunk)
    Object.assign(at, { base: b, ours: o, theirs: t })
  }
  for (let b = 0; b < base.length; b++) {
    const [o, t] = [inOurs.get(b), inTheirs.get(b)]
    if (o === undefined || t === undefined) continue
    cutTo(b, o, t)
    keep(parts, base[b]!)
    Object.assign(at, { base: b + 1, ours: o + 1, theirs: t + 1 })
  }
  cutTo(base.length, ours.length, theirs.length)
  return parts
}

function keep(parts: (Hunk | { same: string[] })[], item: string): void {
  const last = parts.at(-1)
  if (last !== undefined && 'same' in last) last.same.push(item)
  else parts.push({ same: [item] })
}

/** The merged sequence; `settle` is asked about each hunk that both sides changed differently, null: it cannot be. */
export function mergeSequences(
  sides: { base: readonly string[]; ours: readonly string[]; theirs: readonly string[] },
  settle: (hunk: Hunk) => string[] | null,
): string[] | null {
  const parts = threeWay(sides.base, sides.ours, sides.theirs)
  if (parts === null) return null
  const merged: string[] = []
  for (const part of parts) {
    const items = 'same' in part ? part.same : (plain(part) ?? settle(part))
    if (items === null) return null
    for (const item of items) merged.push(item)
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
  const [left, right] = [linesOf(before), linesOf(after)]
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
