/** A breakage of a text, made in a later version of it; null where the lines that it is about are not there as they were. */
export function carried(texts: { before: string; broken: string; after: string }): string | null {
  const { before, broken, after } = texts
  if (before === after) return broken
  const [old, made] = [before.split('\n'), broken.split('\n')]
  let head = 0
  while (head < old.length && head < made.length && old[head] === made[head]) head++
  let tail = 0
  while (tail < Math.min(old.length, made.length) - head && old.at(-1 - tail) === made.at(-1 - tail)) tail++
  const block = old.slice(head, old.length - tail)
  const now = after.split('\n')
  const places =
    block.length === 0 ? [] : now.flatMap((_, at) => (block.every((line, by) => now[at + by] === line) ? [at] : []))
  if (places.length !== 1) return null
  const [at] = places as [number]
  return [...now.slice(0, at), ...made.slice(head, made.length - tail), ...now.slice(at + block.length)].join('\n')
}

/** Lines of a text, from 1, that are in a later version as well, once in each. */
export function keptLines(before: string, after: string): Set<number> {
  const [then, now] = [countsOf(before), countsOf(after)]
  const kept = new Set<number>()
  for (const [index, line] of before.split('\n').entries())
    if (line.trim() !== '' && then.get(line) === 1 && now.get(line) === 1) kept.add(index + 1)
  return kept
}

/** Lines of a text, from 1, that an earlier version has not. */
export function newLines(before: string, after: string): Set<number> {
  const then = new Set(before.split('\n').map((line) => line.trim()))
  const fresh = after
    .split('\n')
    .flatMap((line, index) => (line.trim() === '' || then.has(line.trim()) ? [] : [index + 1]))
  return new Set(fresh)
}

function countsOf(text: string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const line of text.split('\n')) counts.set(line, (counts.get(line) ?? 0) + 1)
  return counts
}
