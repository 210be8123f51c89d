import { mark, proseOf, readable, wordsOf } from './prose.ts'

/** What of a requirement somebody could look at when it is done. */
export interface Observable {
  /** Criteria that say they are some: given/when/then, a list under such a heading, boxes to tick. */
  declared: boolean
  /** Sentences that name something that can be seen to happen. */
  behaviours: string[]
  /** Code, numbers, quotations, names: what a test could be written with. */
  concrete: string[]
}

export function observableOf(text: string): Observable {
  const { sentences } = proseOf(text)
  return {
    declared: declared.test(readable(text)),
    behaviours: sentences.filter((sentence) => behaviour.test(sentence) && wordsOf(sentence).length >= 4),
    concrete: [...new Set(sentences.flatMap((sentence) => sentence.match(concrete) ?? []))],
  }
}

const declared =
  /\bgiven\b[\s\S]{1,400}\bwhen\b[\s\S]{1,400}\bthen\b|^#{0,6}\s*\**(?:acceptance|done when|definition of done|criteria|expected|akzeptanzkriterien|erwartet)\b|^\s*[-*] \[[ x]\]|\b(?:expected|actual)(?: \w+)?:|\b(?:gegeben|angenommen)\b[\s\S]{1,400}\bwenn\b[\s\S]{1,400}\bdann\b/im

const behaviour =
  /\b(?:returns?|prints?|shows?|displays?|raises?|throws?|rejects?|accepts?|answers?|responds?|writes?|saves?|sends?|logs?|exits?|fails?|refuses?|ignores?|keeps?|contains?|lists?|sorts?|opens?|closes?|renders?|redirects?|warns?|reports?|emits?|stores?|counts?|greets?|crash(?:es)?|must|should|shall|cannot|can|can no longer|is kept|no longer|so that|instead of|without|gibt|zeigt|liefert|meldet|soll(?:en)?|muss|müssen|darf)\b/i

const concrete = new RegExp(
  `${mark}|\\d+(?:[.,]\\d+)*|"[^"\\n]{1,80}"|“[^”\\n]{1,80}”|„[^“\\n]{1,80}“|'[^'\\n]{2,80}'|\\b[A-Z]{2,}[a-z]?\\b`,
  'g',
)
