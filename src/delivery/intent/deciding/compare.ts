import type { Example, StructuredReading } from '../interpretation.ts'
import { wordDifferences } from './in-words.ts'

/** In what two readings differ, as far as plain code can tell: by what they claim, which files are touched, how large it is. */
export const differences = (one: StructuredReading, other: StructuredReading): string[] => [
  ...(one.examples.length > 0 && other.examples.length > 0
    ? pairs(one, other).flatMap(([mine, theirs]) => (isContradicted(mine, theirs) ? [differing(mine, theirs)] : []))
    : wordDifferences(one, other)),
  ...fileDifferences(one.files, other.files),
  ...sizeDifferences(one, other),
]

/** Examples of the first one that the second does not have as well: what it makes of them only its reader can tell. */
export const unshared = (one: StructuredReading, other: StructuredReading): (Example & { isNamed: boolean })[] => {
  const named = new Map(pairs(one, other))
  return one.examples.flatMap((mine) => {
    const theirs = named.get(mine)
    return theirs !== undefined && isSame(mine.output, theirs.output)
      ? []
      : [{ ...mine, isNamed: theirs !== undefined }]
  })
}

/** Whether two readings are one, letter by letter. */
export const isSameText = (one: StructuredReading, other: StructuredReading): boolean =>
  isSame([one.summary, ...one.behaviours].join(' '), [other.summary, ...other.behaviours].join(' '))

const pairs = (one: StructuredReading, other: StructuredReading): [Example, Example][] =>
  one.examples.flatMap((mine) => {
    const theirs = other.examples.find(({ input }) => isSame(input, mine.input))
    return theirs === undefined ? [] : [[mine, theirs] as [Example, Example]]
  })

/** The same values in another order, or others. Words beside them may differ. */
function isContradicted({ output: mine }: Example, { output: theirs }: Example): boolean {
  if (isSame(mine, theirs)) return false
  // The keys of an object have no order: whether it is the same one its reader says.
  if (sorted(wordsOf(mine)) === sorted(wordsOf(theirs))) return !(isObject(mine) && isObject(theirs))
  const [values, others] = [figuresOf(mine), figuresOf(theirs)]
  return values.some((value) => !others.includes(value)) && others.some((value) => !values.includes(value))
}

const isObject = (text: string): boolean => /^\s*\{.*\}\s*$/s.test(text)

const differing = (mine: Example, theirs: Example): string => `${mine.input} → ${mine.output} or ${theirs.output}`

const isSame = (one: string, other: string): boolean => wordsOf(one).join(' ') === wordsOf(other).join(' ')

const sorted = (words: string[]): string => words.toSorted().join(' ')

/** Case, quotation marks, brackets and blanks say nothing; a sign or a point in a figure does. */
const wordsOf = (text: string): string[] =>
  (
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/-?\d+(?:[.,:]\d+)*|[\p{L}\p{M}\d_]+/gu) ?? []
  ).map(plainValue)

const figuresOf = (text: string): string[] => wordsOf(text).filter((word) => /\d/.test(word))

/** 12.50 is 12.5, and 1,200 is 1200. */
function plainValue(word: string): string {
  const figure = word.replace(/,(?=\d{3}(?!\d))/g, '').replace(/^(-?\d+),(\d+)$/, '$1.$2')
  return /^-?\d+(?:\.\d+)?$/.test(figure) && figure.length < 15 ? String(Number(figure)) : word
}

function fileDifferences(one: string[], other: string[]): string[] {
  const apart = one.length > 0 && other.length > 0 && !one.some((file) => other.includes(file))
  return apart ? [`touches ${one.join(', ')} or ${other.join(', ')}`] : []
}

const sizeDifferences = (one: StructuredReading, other: StructuredReading): string[] =>
  [one.size, other.size].sort().join() === 'large,small' ? [`it is ${one.size} or ${other.size}`] : []
