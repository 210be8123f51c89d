import type { Resolution, Texts } from './resolution.ts'

/** Merges without regard to line endings and byte order marks; the result has those that ours has. */
export function withoutLineEndings(texts: Texts, merge: (plain: Texts) => Resolution): Resolution {
  const { path, base, ours, theirs } = texts
  const result = merge({ path, base: base === null ? null : plain(base), ours: plain(ours), theirs: plain(theirs) })
  if (result.status === 'declined') return result
  const like = endingOf(base ?? ours) === endingOf(ours) ? endingOf(theirs) : endingOf(ours)
  const text = like === '\r\n' ? result.text.replaceAll('\n', '\r\n') : result.text
  return { ...result, text: ours.startsWith(mark) ? mark + text : text }
}

const mark = '\ufeff'
const plain = (text: string): string => text.replace(/^\ufeff/, '').replaceAll('\r\n', '\n')

/** The one that most lines have. */
function endingOf(text: string): '\n' | '\r\n' {
  const crlf = text.split('\r\n').length - 1
  return crlf * 2 > text.split('\n').length - 1 ? '\r\n' : '\n'
}

/** Each with its line feed, so that a missing one at the end counts. */
export const linesOf = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? []
