// The one place where an id becomes part of a path or a ref.

const shape = /^[a-z0-9](?:[a-z0-9._-]{0,62}[a-z0-9])?$/i
const reserved = /^(?:con|prn|aux|nul|com\d|lpt\d|head)$/i

/** What is wrong with it as an id, or null. */
export function identifierProblem(text: string): string | null {
  if (!shape.test(text))
    return 'must be 1 to 64 letters, digits, dots, dashes or underscores, with a letter or digit at both ends'
  if (text.includes('..') || text.endsWith('.lock') || reserved.test(text))
    return 'cannot be used as a file or branch name'
  // Ids are keys of plain objects, which know these names already.
  if (text in Object.prototype) return 'cannot be used as a key'
  return null
}

/** The id, or an exception: for code that is about to make a path or a ref of it. */
export function asPathSegment(text: string): string {
  const problem = identifierProblem(text)
  if (problem !== null) throw new Error(`"${text}" ${problem}`)
  return text
}
