/**
 * The first of so many that is red, the last being red: what follows a red one is red. Asks ⌈log2 count⌉ times at most.
 */
export async function firstRed(count: number, isRed: (index: number) => Promise<boolean>): Promise<number> {
  let [low, high] = [0, count - 1]
  while (low < high) {
    const middle = (low + high) >> 1
    if (await isRed(middle)) high = middle
    else low = middle + 1
  }
  return low
}

/** Once the last, as often as halving asks, and once more to be sure of the first red one and of the one before it. */
export const mostRuns = (count: number): number => 3 + Math.ceil(Math.log2(Math.max(1, count)))
