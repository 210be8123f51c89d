import { plainText } from '../../std/text/plain-text.ts'

/** The two sides of the file that is quoted; null where it does not exist. */
export interface Sides {
  before: string | null
  after: string | null
}

/** A single bracket is in every file. */
const shortest = 4
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
  if (wanted.join('').length < shortest) return null
  const [before, after] = [linesOf(sides.before), linesOf(sides.after)]
  const place = nearest(placesOf(wanted, after), near)
  if (place !== null) return place
  if (placesOf(wanted, before).length > 0) return 'removed'
  // Both sides of a change in one quotation, as a diff shows them.
  const isThere = (line: string): boolean => [...after, ...before].some((one) => one.includes(line))
  if (!wanted.every(isThere)) return null
  return nearest(placesOf(wanted.filter((line) => after.some((one) => one.includes(line))).slice(0, 1), after), near)
}

/** Line numbers at which all of it follows. */
function placesOf(wanted: string[], lines: string[]): number[] {
  const [first, ...rest] = wanted
  if (first === undefined) return []
  return lines.flatMap((line, index) => (line.includes(first) && follows(rest, lines, index + 1) ? [index + 1] : []))
}

function follows(rest: string[], lines: string[], from: number): boolean {
  let at = from
  for (const line of rest) {
    const end = Math.min(lines.length, at + widestGap)
    while (at < end && !lines[at]!.includes(line)) at++
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

/** Comparable: without what is taken out of answers too, the signs of a diff, and whatever blanks there are. */
export const plainLines = (text: string): string[] =>
  plainText(text)
    .split('\n')
    .map((line) => line.trim().replace(/^[+-]/, '').replace(/\s+/g, ' ').trim())
