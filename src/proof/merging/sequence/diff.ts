// Where two sequences are the same: Myers' greedy way, bounded, after what is equal at both ends.

export interface Match {
  left: number
  right: number
}

const mostEdits = 2_000

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
  // How far along each diagonal the best way has come; diagonal k is at k + middle.
  const middle = most + 1
  const reach = new Int32Array(2 * middle + 1)
  const trace: Int32Array[] = []
  for (let edits = 0; edits <= most; edits++) {
    trace.push(reach.slice(middle - edits - 1, middle + edits + 2))
    for (let k = -edits; k <= edits; k += 2) {
      const [below, above] = [reach[middle + k - 1]!, reach[middle + k + 1]!]
      let x = comesDown({ k, edits, below, above }) ? above : below + 1
      while (x < left.length && x - k < right.length && left[x] === right[x - k]) x++
      reach[middle + k] = x
      if (x >= left.length && x - k >= right.length) return backwards(trace, left.length, right.length)
    }
  }
  return null
}

const comesDown = ({ k, edits, below, above }: Record<'k' | 'edits' | 'below' | 'above', number>): boolean =>
  k === -edits || (k !== edits && below < above)

function backwards(trace: Int32Array[], endLeft: number, endRight: number): Match[] {
  const found: Match[] = []
  let [x, y] = [endLeft, endRight]
  for (let edits = trace.length - 1; edits > 0; edits--) {
    const at = (diagonal: number): number => trace[edits]![diagonal + edits + 1]!
    const k = x - y
    const from = comesDown({ k, edits, below: at(k - 1), above: at(k + 1) }) ? k + 1 : k - 1
    const [fromX, fromY] = [at(from), at(from) - from]
    while (x > fromX && y > fromY) found.push({ left: --x, right: --y })
    ;[x, y] = [fromX, fromY]
  }
  while (x > 0 && y > 0) found.push({ left: --x, right: --y })
  return found.reverse()
}
