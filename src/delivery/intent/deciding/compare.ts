import type { Example, StructuredReading } from '../interpretation.ts'

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

/**
 * In what two readings differ where one of them came without examples: by what terms mean and what can be observed, word
 * by word. In doubt they differ; but readings that differ in one word are taken for the same.
 */
export const wordDifferences = (one: StructuredReading, other: StructuredReading): string[] => [
  ...termDifferences(one, other),
  ...behaviourDifferences(one.behaviours, other.behaviours),
]

/** Only terms that both name: what one of them leaves out says nothing. */
function termDifferences(one: StructuredReading, other: StructuredReading): string[] {
  return one.terms.flatMap(({ term, meaning }) => {
    const twin = other.terms.find((named) => sameText(named.term, term))
    if (twin === undefined || alike(meaning, twin.meaning)) return []
    return [`"${term}" is ${meaning} or ${twin.meaning}`]
  })
}

/** At least half of what each says can be observed must be among what the other says. */
function behaviourDifferences(one: string[], other: string[]): string[] {
  if (one.length === 0 || other.length === 0) return []
  const only = (from: string[], among: string[]) => from.filter((text) => !among.some((twin) => alike(text, twin)))
  const [mine, theirs] = [only(one, other), only(other, one)]
  if (mine.length * 2 <= one.length && theirs.length * 2 <= other.length) return []
  return [`observable: ${mine.concat(theirs).join(' / ')}`]
}

/** They share at least half of the shorter one's words, and say the same figures and the same yes or no. */
function alike(one: string, other: string): boolean {
  const [a, b] = [stemsOf(one), stemsOf(other)]
  if (figureText(one) !== figureText(other) || isNegative(one) !== isNegative(other)) return false
  if (a.size === 0 || b.size === 0) return one.trim().toLowerCase() === other.trim().toLowerCase()
  const shared = [...a].filter((word) => b.has(word)).length
  return shared * 2 >= Math.min(a.size, b.size)
}

const sameText = (one: string, other: string): boolean =>
  [...stemsOf(one)].sort().join(' ') === [...stemsOf(other)].sort().join(' ')

const stemsOf = (text: string): Set<string> =>
  new Set((text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => !empty.has(word)).map(stem))

/** Enough that "sorts", "sorted" and "sorting" are one word. */
const stem = (word: string): string =>
  word.length > 4 ? word.replace(/(ing|ed|es|s|e)$/, '') || word : word.length > 3 ? word.replace(/s$/, '') : word

const figureText = (text: string): string => [...new Set(text.match(/\d+(?:[.,]\d+)*/g) ?? [])].sort().join(' ')

const isNegative = (text: string): boolean =>
  /\b(not|no|never|without|cannot|neither|none|nothing)\b|n['’]t\b/i.test(text)

const empty = new Set(
  `a an the of to in on at by for from with and or as is are be it its that this these those than then so when if
   which who will would shall should must may can does do has have had was were been being into out each any all`.split(
    /\s+/,
  ),
)
