// Where two sequences are the same: Myers' greedy way, bounded, after what is equal at both ends.

export interface Match {
  left: number
  right: number
}

const mostEdits = 4_000

/** Pairs of equal items, ascending on both sides; null when the two have too little in common to be compared. */
export function matches(left: readonly string[], right: readonly string[]): Match[] | null {
  const shorter = Math.min(left.length, right.length)
  let head = 0
  while (head < shorter && left[head] === right[head]) head++
  let tail = 0
  while (tail < shorter - head && left.at(-1 - tail) === right.at(-1 - tail)) tail++
  const inner = greedy(left.slice(head, left.length - tail), right.slice(head, right.length - tail))
  if (inner === null) return null
  return [
    ...Array.from({ length: head }, (_, i) => ({ left: i, right: i })),
    ...inner.map((match) => ({ left: match.left + head, right: match.right + head })),
    ...Array.from({ length: tail }, (_, i) => ({ left: left.length - tail + i, right: right.length - tail + i })),
  ]
}

function greedy(left: string[], right: string[]): Match[] | null {
  if (left.length === 0 || right.length === 0) return []
  const most = Math.min(left.length + right.length, mostEdits)
  const reach = new Map([[1, 0]])
  const trace: Map<number, number>[] = []
  for (let edits = 0; edits <= most; edits++) {
    trace.push(new Map(reach))
    for (let k = -edits; k <= edits; k += 2) {
      let x = comesDown(reach, k, edits) ? reach.get(k + 1)! : reach.get(k - 1)! + 1
      while (x < left.length && x - k < right.length && left[x] === right[x - k]) x++
      reach.set(k, x)
      if (x >= left.length && x - k >= right.length) return backwards(trace, left.length, right.length)
    }
  }
  return null
}

const comesDown = (reach: Map<number, number>, k: number, edits: number): boolean =>
  k === -edits || (k !== edits && (reach.get(k - 1) ?? -1) < (reach.get(k + 1) ?? -1))

function backwards(trace: Map<number, number>[], endLeft: number, endRight: number): Match[] {
  const found: Match[] = []
  let [x, y] = [endLeft, endRight]
  for (let edits = trace.length - 1; edits >= 0; edits--) {
    const reach = trace[edits]!
    const k = x - y
    const from = comesDown(reach, k, edits) ? k + 1 : k - 1
    const fromX = edits === 0 ? 0 : reach.get(from)!
    const fromY = edits === 0 ? 0 : fromX - from
    while (x > fromX && y > fromY) found.push({ left: --x, right: --y })
    ;[x, y] = [fromX, fromY]
  }
  return found.reverse()
}
