/** What is known of a prefix of the train: the cars up to one, composed on top of each other. */
export type Known = 'proven' | 'red' | 'unknown'

export interface Span {
  /** The last prefix that is proven: what is ahead of it is proven with it. -1: only the line is. */
  proven: number
  /** The first red one behind that; as many as there are cars: none. */
  red: number
}

export function spanOf(prefixes: Known[]): Span {
  const proven = prefixes.lastIndexOf('proven')
  const red = prefixes.indexOf('red', proven + 1)
  return { proven, red: red < 0 ? prefixes.length : red }
}

/** The car that turns what is proven red, once it is found. */
export function culpritOf(prefixes: Known[]): number | null {
  const { proven, red } = spanOf(prefixes)
  return red < prefixes.length && red === proven + 1 ? red : null
}

/** Whether a word on this prefix would still change anything. */
export const isOpen = ({ proven, red }: Span, car: number): boolean => car > proven && car < red

/**
 * Which prefixes to judge besides those that are being judged: the top while none is red, so that one run may prove
 * them all, and else, or with more lanes, those that cut what is open into even parts.
 */
export function toJudge(prefixes: Known[], { judging, lanes }: { judging: number[]; lanes: number }): number[] {
  const span = spanOf(prefixes)
  const taken = judging.filter((car) => isOpen(span, car))
  const top = prefixes.length - 1
  const wanted = isOpen(span, top) && !taken.includes(top) ? [top] : []
  const cuts = evenly({ ...span, taken: [...taken, ...wanted] }, lanes - wanted.length)
  return [...wanted, ...cuts].slice(0, Math.max(0, lanes))
}

/** Puts so many cuts between those that are there, wherever the parts are largest. */
function evenly({ proven, red, taken }: Span & { taken: number[] }, lanes: number): number[] {
  const fences = [proven, ...taken.sort((a, b) => a - b), red]
  const parts = fences.slice(1).map((to, i) => ({ from: fences[i]!, to, cuts: 0 }))
  for (let lane = 0; lane < lanes; lane++) {
    const largest = parts.reduce((one, other) => (sizeOf(other) > sizeOf(one) ? other : one))
    if (largest.to - largest.from <= largest.cuts + 1) break
    largest.cuts += 1
  }
  return parts.flatMap(({ from, to, cuts }) =>
    Array.from({ length: cuts }, (_, i) => from + Math.floor(((i + 1) * (to - from)) / (cuts + 1))),
  )
}

const sizeOf = ({ from, to, cuts }: { from: number; to: number; cuts: number }): number => (to - from) / (cuts + 1)
