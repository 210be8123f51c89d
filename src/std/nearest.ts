/** The candidate a typist most likely meant, or null when none is close. */
export function nearest(word: string, candidates: readonly string[]): string | null {
  if (word.length > 64) return null
  let best: { candidate: string; distance: number } | null = null
  for (const candidate of candidates) {
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase())
    if (best === null || distance < best.distance) best = { candidate, distance }
  }
  if (best === null) return null
  return best.distance <= Math.max(1, Math.floor(best.candidate.length / 3)) ? best.candidate : null
}

function editDistance(a: string, b: string): number {
  let above = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const change = above[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      row.push(Math.min(above[j]! + 1, row[j - 1]! + 1, change))
    }
    above = row
  }
  return above[b.length]!
}
