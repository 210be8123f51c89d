/** A file that both sides changed; `base` is null when both added it. */
export interface Texts {
  path: string
  base: string | null
  ours: string
  theirs: string
}

/** What rules make of it. A contradiction is declined, never guessed. */
export type Resolution = { status: 'merged'; text: string; by: Rule } | { status: 'declined'; because: string }

/** A format whose parser is not ours. */
export interface Format {
  merge: (texts: Texts) => Resolution
  parses: (text: string) => boolean
}

export interface Formats {
  yaml: Format
  toml: Format
}

export type Rule = 'structure' | 'union' | 'whitespace'

export const merged = (text: string, by: Rule): Resolution => ({ status: 'merged', text, by })
export const declined = (because: string): Resolution => ({ status: 'declined', because })

/**
 * Merges without regard to line endings and byte order marks; the result has those of the side that changed them.
 * A file that has always had both kinds of endings is taken as it is. `merge` is told whether the endings differed.
 */
export function withoutLineEndings(texts: Texts, merge: (plain: Texts, differed: boolean) => Resolution): Resolution {
  const { path, base, ours, theirs } = texts
  if (isMixed(base ?? ours)) return merge(texts, false)
  const differed = new Set([base ?? ours, ours, theirs].map(endingOf)).size > 1
  const bare = { path, base: base === null ? null : plain(base), ours: plain(ours), theirs: plain(theirs) }
  const result = merge(bare, differed)
  if (result.status === 'declined') return result
  const like = endingOf(base ?? ours) === endingOf(ours) ? endingOf(theirs) : endingOf(ours)
  const text = like === '\r\n' ? result.text.replaceAll('\n', '\r\n') : result.text
  return { ...result, text: ours.startsWith(mark) ? mark + text : text }
}

const mark = '\ufeff'
const plain = (text: string): string => text.replace(/^\ufeff/, '').replaceAll('\r\n', '\n')

const isMixed = (text: string): boolean => text.includes('\r\n') && /(?:^|[^\r])\n/.test(text)

/** The one that most lines have. */
function endingOf(text: string): '\n' | '\r\n' {
  const crlf = text.split('\r\n').length - 1
  return crlf * 2 > text.split('\n').length - 1 ? '\r\n' : '\n'
}

/** Each with its line feed, so that a missing one at the end counts. */
export const textLines = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? []
