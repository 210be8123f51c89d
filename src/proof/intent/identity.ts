import { coversAny } from '../../std/glob.ts'
import { rareWords } from './relevant-files.ts'

/** Files that say what a project is and wants to be: those that are configured, or the usual ones; the weightiest first. */
export function identityFiles(files: readonly string[], configured: readonly string[]): string[] {
  if (configured.length > 0) return files.filter((file) => coversAny(configured, file)).toSorted()
  const ranked = files.flatMap((file) => {
    const rank = usual.findIndex((pattern) => pattern.test(file))
    return rank < 0 ? [] : [{ file, rank }]
  })
  return ranked.toSorted((a, b) => a.rank - b.rank || (a.file < b.file ? -1 : 1)).map(({ file }) => file)
}

const usual = [
  /^(?:docs?\/)?(?:vision|mission|constitution|goals|non-goals|principles)(?:\.\w+)?$/i,
  /^readme(?:\.\w+)?$/i,
  /^(?:docs?\/)?(?:architecture|design|glossary)\.\w+$/i,
  /^(?:agents|claude)\.md$/i,
  /^(?:\.github\/|docs?\/)?contributing(?:\.\w+)?$/i,
  /^(?:docs?\/)?(?:decisions|adrs?|rfcs?|out-of-scope)\/.+\.(?:md|txt|adoc|rst)$/i,
]

/** A title alone tells nobody what a project is. */
export const saysSomething = (text: string): boolean => (text.match(/\p{L}/gu)?.length ?? 0) >= 40

/** Where the project says that it does not want what the requirement asks for. */
export function conflictsWith(
  requirement: string,
  identity: { source: string; text: string }[],
): { about: string; holds: string; yields: string }[] {
  const wanted = rareWords(requirement).map((word) => word.toLowerCase())
  return identity.flatMap(({ source, text }) =>
    refusals(text).flatMap((sentence) => {
      const words = new Set(rareWords(sentence).map((word) => word.toLowerCase()))
      const both = wanted.filter((word) => words.has(word))
      if (both.length < 2) return []
      const yields = `the requirement: ${requirement.trim().replace(/\s+/g, ' ').slice(0, 160)}`
      return [{ about: both.slice(0, 4).join(', '), holds: `${source}: ${sentence.slice(0, 240)}`, yields }]
    }),
  )
}

const no =
  /\b(?:never|must not|mustn't|will not|won't|do not|don't|does not|no longer|non-goals?|out of scope|not supported|on purpose|deliberately|niemals|nicht|kein\w*)\b/i

/** Sentences that say no, and the items under a heading that does. */
function refusals(text: string): string[] {
  let under = false
  return text.split('\n').flatMap((line) => {
    if (/^#{1,6}\s/.test(line)) under = /non-goals?|out of scope|not goals|nicht-ziele/i.test(line)
    if (under && /^\s*[-*]\s/.test(line)) return [line.replace(/^\s*[-*]\s+/, '').trim()]
    return line
      .split(/(?<=[.!?])\s+/)
      .filter((sentence) => no.test(sentence))
      .map((sentence) => sentence.trim())
  })
}

const prefix = /^(?:feat|fix|chore|docs|refactor|test|build|ci|perf|style|revert)(?:\([^)]*\))?!?: \S/

export const hasPrefix = (subject: string): boolean => prefix.test(subject)

/** Whether the commits of a repository begin with the kind of work: most of the last ones do. */
export const isPrefixed = (subjects: readonly string[]): boolean =>
  subjects.length > 0 && subjects.filter(hasPrefix).length * 2 > subjects.length
