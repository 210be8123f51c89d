import { declined, merged, type Resolution, type Texts, textLines } from './resolution.ts'
import { type Hunk, mergeSequences } from './three-way.ts'

/**
 * Where one side changed only blanks and the other the words, the words count. When blanks play no part in it, git was
 * right to see a conflict, however the lines can be matched.
 */
export function mergeWhitespace({ path, base, ours, theirs }: Texts, endingsDiffered: boolean): Resolution {
  const bare = bareFor(path)
  if (base === null) return bare([ours]) === bare([theirs]) ? merged(ours, 'whitespace') : declined(both)
  const sides = { base: textLines(base), ours: textLines(ours), theirs: textLines(theirs) }
  let isAboutBlanks = endingsDiffered || base === ours || base === theirs || ours === theirs
  const lines = mergeSequences(sides, (hunk) => {
    isAboutBlanks = true
    return words(hunk, bare)
  })
  return lines === null || !isAboutBlanks ? declined(both) : merged(lines.join(''), 'whitespace')
}

/** Whether two texts differ in blanks alone, as far as blanks mean nothing in such a file. */
export function saysTheSame(path: string, left: string, right: string): boolean {
  const bare = bareFor(path)
  const plain = (text: string): string => bare([text.replaceAll('\r\n', '\n')])
  return plain(left) === plain(right)
}

const both = 'both sides changed the same lines'

type Bare = (lines: string[]) => string

function words({ base, ours, theirs }: Hunk, bare: Bare): string[] | null {
  const [b, o, t] = [bare(base), bare(ours), bare(theirs)]
  if (o === t || b === t) return ours
  return b === o ? theirs : null
}

/** Blanks at the end of a line mean nothing in code, and indentation nothing where brackets tell the structure. */
function bareFor(path: string): Bare {
  if (/\.(?:md|mdx|markdown|txt|csv|tsv|diff|patch|snap)$/i.test(path)) return (lines) => lines.join('')
  const free = bracketed.test(path)
  return (lines) =>
    lines
      .flatMap((text) => text.split('\n'))
      .map((line) => (free ? line.trim() : line.trimEnd()))
      .join('\n')
      .replace(/\n+$/, '')
}

const bracketed = /\.(?:[cm]?[jt]sx?|jsonc?|css|scss|less|c|cc|cpp|h|hpp|cs|java|kt|kts|go|rs|swift|php|scala|dart)$/i
