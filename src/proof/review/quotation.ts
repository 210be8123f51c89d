import { plainText } from '../../std/text/plain-text.ts'

/** The two sides of the file that is quoted; null where it does not exist. */
export interface Sides {
  before: string | null
  after: string | null
}

/** Shorter words stand in every file: then it must be whole lines, and more than brackets. */
const longEnough = 12
/** Whoever quotes more has shown enough: each line is looked for from each place where all before it were found. */
const mostLines = 100
/** Between two quoted lines some may be left out. */
const widestGap = 40

/**
 * Where a quotation stands, whatever its blanks and the signs that a diff puts before its lines: the line in the file as
 * it is now, of several the one nearest to `near`; `removed` when only what was removed has it; null when it is not there.
 */
export function placeOfQuotation(evidence: string, sides: Sides, near: number | null): number | 'removed' | null {
  const wanted = plainLines(evidence)
    .filter((line) => line !== '' && !/^(?:\.{3}|…)$/.test(line))
    .slice(0, mostLines)
  const has = matcherFor(wanted)
  if (has === null) return null
  const [before, after] = [linesOf(sides.before), linesOf(sides.after)]
  const place = nearest(placesOf(wanted, after, has), near)
  if (place !== null) return place
  if (placesOf(wanted, before, has).length > 0) return 'removed'
  // Both sides of a change in one quotation, as a diff shows them.
  const isThere = (line: string): boolean => [...after, ...before].some((one) => has(one, line))
  if (!wanted.every(isThere)) return null
  const kept = wanted.filter((line) => after.some((one) => has(one, line)))
  return nearest(placesOf(kept.slice(0, 1), after, has), near)
}

/** Whether a line of a file has a line of the quotation in it. */
type Match = (line: string, quoted: string) => boolean

/** How the lines of a quotation are looked for; null: they would show nothing wherever they are. */
export function matcherFor(wanted: string[]): Match | null {
  const quoted = wanted.join('').replace(/\s/g, '')
  if (!/[\p{L}\p{N}]/u.test(quoted)) return null
  return quoted.length >= longEnough ? (line, part) => line.includes(part) : (line, part) => line === part
}

/** Line numbers at which all of it follows. */
function placesOf(wanted: string[], lines: string[], has: Match): number[] {
  const [first, ...rest] = wanted
  if (first === undefined) return []
  return lines.flatMap((line, index) =>
    has(line, first) && follows(rest, lines, { from: index + 1, has }) ? [index + 1] : [],
  )
}

function follows(rest: string[], lines: string[], { from, has }: { from: number; has: Match }): boolean {
  let at = from
  for (const line of rest) {
    const end = Math.min(lines.length, at + widestGap)
    while (at < end && !has(lines[at]!, line)) at++
    if (at === end) return false
    at++
  }
  return true
}

function nearest(places: number[], near: number | null): number | null {
  const distance = (place: number): number => (near === null ? place : Math.abs(place - near))
  return places.toSorted((a, b) => distance(a) - distance(b))[0] ?? null
}

const linesOf = (text: string | null): string[] => (text === null ? [] : plainLines(text))

/**
 * Comparable: without what is taken out of answers too, the signs of a diff, and whatever blanks there are. A line may
 * begin with such a sign itself, as of a list: all that it begins with go.
 */
export const plainLines = (text: string): string[] =>
  plainText(text)
    .split('\n')
    .map((line) =>
      line
        .replace(/^[+\-\s]+/, '')
        .replace(/\s+/g, ' ')
        .trim(),
    )
