import type { Finding } from '../../delivery/judging/finding.ts'
import { hashOf } from '../../std/hash.ts'
import { plainText } from '../../std/text/plain-text.ts'
import { addedLines, type Change } from '../files/change.ts'

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

type Said = Pick<Finding, 'file' | 'message' | 'evidence'>

/**
 * The same finding has the same fingerprint, wherever its lines have moved and however it is worded: one that is nearly
 * a known one takes over its fingerprint.
 */
export function fingerprintOf(said: Said, known: readonly Finding[]): string {
  const same = known.find((other) => isSame(said, other))
  return same?.fingerprint ?? hashOf(['review', said.file, quoteOf(said), wordsOf(said.message)])
}

/** At the same code, and about the same: two things may be wrong with one line. */
function isSame(one: Said, other: Said): boolean {
  if (one.file !== other.file) return false
  const [mine, theirs] = [wordsOf(one.message), wordsOf(other.message)]
  const likeness = shared(mine, theirs)
  const [quote, quoted] = [quoteOf(one), quoteOf(other)]
  const sameCode = quote.length > 0 && quoted.length > 0 && quote.some((line) => quoted.includes(line))
  return sameCode ? likeness >= likeWords : likeness >= sameWords
}

const likeWords = 0.4
const sameWords = 0.8

/** Of all words that either has, those that both have. */
function shared(one: string[], other: string[]): number {
  const all = new Set([...one, ...other])
  return all.size === 0 ? 0 : one.filter((word) => other.includes(word)).length / all.size
}

const quoteOf = ({ evidence }: Said): string[] => plainLines(evidence).filter((line) => line.length >= 4)

/** What a sentence is about, without its little words, endings and numbers of lines. */
function wordsOf(message: string): string[] {
  const words = message.toLowerCase().match(/[\p{L}_$][\p{L}\p{N}_$]+/gu) ?? []
  const telling = words.filter((word) => word.length > 2 && !little.has(word)).map(stem)
  return [...new Set(telling)].sort()
}

const stem = (word: string): string => word.replace(/(?<=.{3})(?:ing|ed|es|s|ly)$/, '')

const little = new Set(
  'the and are for not but with that this then than when where which while from into has have had was were will would should could can may must does its it is be been being here there line lines file also only all any some such you your our their they them'.split(
    ' ',
  ),
)

/** Lines around a changed one that have to do with it. */
const near = 20

/** Whether a finding is about what a change has touched: at its lines, or where something is used that it declares. */
export function isTouched(
  { file, line, evidence }: Pick<Finding, 'file' | 'line' | 'evidence'>,
  changes: readonly Change[],
): boolean {
  const own = file === null ? [] : changes.filter(({ path, oldPath }) => path === file || oldPath === file)
  if (own.some((change) => line === null || change.before === null || isNear(change, line))) return true
  const words = new Set(evidence.match(/\w+/g))
  const isUsed = (texts: string[]): boolean => declaredIn(texts).some((name) => words.has(name))
  // To compare two texts line by line takes long, and most of them declare nothing of it.
  return changes.some(
    (change) => isUsed([change.before ?? '', change.after ?? '']) && isUsed(changed(change).map(({ text }) => text)),
  )
}

const isNear = (change: Change, line: number): boolean =>
  changed(change).some((one) => Math.abs(one.line - line) <= near)

/** Where something was only removed, lines of the file as it was are as good as can be. */
function changed(change: Change): { line: number; text: string }[] {
  return [...addedLines(change), ...addedLines({ ...change, before: change.after, after: change.before })]
}

const declaring = /\b(?:function|class|const|let|var|def|fn|func|type|interface|enum|struct|trait)\s+(\w{3,})/g

const declaredIn = (texts: string[]): string[] =>
  texts.flatMap((text) => [...text.matchAll(declaring)].map(([, name]) => name!))
