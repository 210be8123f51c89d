import type { StructuredReading } from '../interpretation.ts'

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
  const [a, b] = [wordsOf(one), wordsOf(other)]
  if (figuresOf(one) !== figuresOf(other) || isNegative(one) !== isNegative(other)) return false
  if (a.size === 0 || b.size === 0) return one.trim().toLowerCase() === other.trim().toLowerCase()
  const shared = [...a].filter((word) => b.has(word)).length
  return shared * 2 >= Math.min(a.size, b.size)
}

const sameText = (one: string, other: string): boolean =>
  [...wordsOf(one)].sort().join(' ') === [...wordsOf(other)].sort().join(' ')

const wordsOf = (text: string): Set<string> =>
  new Set((text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => !empty.has(word)).map(stem))

/** Enough that "sorts", "sorted" and "sorting" are one word. */
const stem = (word: string): string =>
  word.length > 4 ? word.replace(/(ing|ed|es|s|e)$/, '') || word : word.length > 3 ? word.replace(/s$/, '') : word

const figuresOf = (text: string): string => [...new Set(text.match(/\d+(?:[.,]\d+)*/g) ?? [])].sort().join(' ')

const isNegative = (text: string): boolean =>
  /\b(not|no|never|without|cannot|neither|none|nothing)\b|n['’]t\b/i.test(text)

const empty = new Set(
  `a an the of to in on at by for from with and or as is are be it its that this these those than then so when if
   which who will would shall should must may can does do has have had was were been being into out each any all`.split(
    /\s+/,
  ),
)
