import { diffArrays } from 'diff'

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
  const bare = { path, base: base === null ? null : plainText(base), ours: plainText(ours), theirs: plainText(theirs) }
  const result = merge(bare, differed)
  if (result.status === 'declined') return result
  const like = endingOf(base ?? ours) === endingOf(ours) ? endingOf(theirs) : endingOf(ours)
  const text = like === '\r\n' ? result.text.replaceAll('\n', '\r\n') : result.text
  return { ...result, text: ours.startsWith(mark) ? mark + text : text }
}

const mark = '\ufeff'
const plainText = (text: string): string => text.replace(/^\ufeff/, '').replaceAll('\r\n', '\n')

const isMixed = (text: string): boolean => text.includes('\r\n') && /(?:^|[^\r])\n/.test(text)

/** The one that most lines have. */
function endingOf(text: string): '\n' | '\r\n' {
  const crlf = text.split('\r\n').length - 1
  return crlf * 2 > text.split('\n').length - 1 ? '\r\n' : '\n'
}

/** Each with its line feed, so that a missing one at the end counts. */
export const textLines = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? []

/** What stands between two places where all three sequences are the same. */
export interface Hunk {
  base: string[]
  ours: string[]
  theirs: string[]
}

/** The merged sequence; `settle` is asked about each hunk that both sides changed differently, null: it cannot be. */
export function mergeSequences(
  { base, ours, theirs }: { base: readonly string[]; ours: readonly string[]; theirs: readonly string[] },
  settle: (hunk: Hunk) => string[] | null,
): string[] | null {
  const [left, right] = [matches(base, ours), matches(base, theirs)]
  if (left === null || right === null) return null
  const inTheirs = new Map(right.map((match) => [match.left, match.right]))
  const merged: string[] = []
  let [b, o, t] = [0, 0, 0]
  // Cut wherever all three agree, and at the end.
  for (const match of [...left, { left: base.length, right: ours.length }]) {
    const isEnd = match.left === base.length
    const other = isEnd ? theirs.length : inTheirs.get(match.left)
    if (other === undefined) continue
    const hunk = { base: base.slice(b, match.left), ours: ours.slice(o, match.right), theirs: theirs.slice(t, other) }
    const items = agreed(hunk, same) ?? settle(hunk)
    if (items === null) return null
    for (const item of isEnd ? items : [...items, base[match.left]!]) merged.push(item)
    ;[b, o, t] = [match.left + 1, match.right + 1, other + 1]
  }
  return merged
}

/** What one side alone, or both alike, made of it. */
function agreed({ base, ours, theirs }: Hunk, areSame: (left: string[], right: string[]) => boolean): string[] | null {
  if (areSame(base, theirs) || areSame(ours, theirs)) return ours
  return areSame(base, ours) ? theirs : null
}

export const same = (left: readonly string[], right: readonly string[]): boolean =>
  left.length === right.length && left.every((item, index) => item === right[index])

/** What is in the second and not in the first, by place. */
export function added(before: readonly string[], after: readonly string[]): string[] {
  const kept = new Set((matches(before, after) ?? []).map((match) => match.right))
  return after.filter((_, index) => !kept.has(index))
}

export interface Match {
  left: number
  right: number
}

const mostEdits = 2_000

/** Pairs of equal items, ascending on both sides; null when the two have too little in common to be compared. */
export function matches(left: readonly string[], right: readonly string[]): Match[] | null {
  const parts = diffArrays([...left], [...right], { maxEditLength: mostEdits })
  if (parts === undefined) return null
  const at = { left: 0, right: 0 }
  const found: Match[] = []
  for (const { added, removed, count } of parts) {
    if (!added && !removed) for (let by = 0; by < count; by++) found.push({ left: at.left + by, right: at.right + by })
    if (!added) at.left += count
    if (!removed) at.right += count
  }
  return found
}

const context = 2

/** What became of a text, as lines with `-`, `+` and a little around them. */
export function patchOf(before: string, after: string): string {
  const [left, right] = [textLines(before), textLines(after)]
  const found = matches(left, right)
  if (found === null) return '(almost every line is another)'
  const lines: { sign: string; text: string }[] = []
  let [l, r] = [0, 0]
  for (const match of [...found, { left: left.length, right: right.length }]) {
    while (l < match.left) lines.push({ sign: '-', text: left[l++]! })
    while (r < match.right) lines.push({ sign: '+', text: right[r++]! })
    if (l < left.length && r < right.length) lines.push({ sign: ' ', text: left[l]! })
    l++
    r++
  }
  return shown(lines)
}

function shown(lines: { sign: string; text: string }[]): string {
  const changed = lines.flatMap(({ sign }, index) => (sign === ' ' ? [] : [index]))
  const near = new Set(changed.flatMap((at) => Array.from({ length: 2 * context + 1 }, (_, i) => at - context + i)))
  const texts = lines.flatMap(({ sign, text }, index) => {
    if (near.has(index)) return [`${sign}${text.replace(/\n$/, '')}`]
    return near.has(index - 1) ? ['…'] : []
  })
  return texts.join('\n')
}

/** Files that are lists: what both sides add is kept, ours first. */
export const isList = (path: string): boolean => lists.test(path)

const lists =
  /(?:^|\/)(?:(?:CHANGELOG|CHANGES|AUTHORS|CONTRIBUTORS)(?:[-_][\w-]*)?(?:\.(?:md|mdx|markdown|txt|rst|adoc))?|CODEOWNERS|\.gitattributes|\.\w*ignore)$/i

/** With `every` the file's own .gitattributes ask for it, and lines that both changed are all kept, as git does. */
export function mergeUnion({ base, ours, theirs }: Texts, every: boolean): Resolution {
  const sides = { base: ended(base ?? ''), ours: ended(ours), theirs: ended(theirs) }
  const lines = mergeSequences(sides, (hunk) => united(hunk, every))
  return lines === null ? declined('both sides changed the same entry') : merged(lines.join(''), 'union')
}

/** The last line gets its line feed, or something would be put behind it on the same line. */
const ended = (text: string): string[] => textLines(text === '' || text.endsWith('\n') ? text : `${text}\n`)

function united(hunk: Hunk, every: boolean): string[] | null {
  const { base, ours, theirs } = hunk
  if (every && (removes(base, ours) || removes(base, theirs))) return [...ours, ...without(theirs, ours)]
  if (base.length === 0) return blocks(ours, theirs)
  const [byOurs, byTheirs] = [added(base, ours), added(base, theirs)]
  if (byOurs.length === 0 || byTheirs.length === 0) return removal(hunk)
  if (removes(base, ours) || removes(base, theirs)) return null
  return mergeAround(hunk)
}

const removes = (base: string[], side: string[]): boolean => base.some((line) => !side.includes(line))
const without = (lines: string[], known: string[]): string[] => lines.filter((line) => !known.includes(line))

/** One side only takes away: what is left of the other's lines. */
function removal({ base, ours, theirs }: Hunk): string[] {
  const [keeper, other] = added(base, ours).length > 0 ? [ours, theirs] : [theirs, ours]
  const gone = without(base, other)
  return keeper.filter((line) => !gone.includes(line))
}

/** Both keep all lines of the base: what each puts between two of them is united there. */
function mergeAround({ base, ours, theirs }: Hunk): string[] | null {
  const [left, right] = [gaps(base, ours), gaps(base, theirs)]
  const result: string[] = []
  for (let i = 0; i <= base.length; i++) {
    const between = blocks(left[i]!, right[i]!)
    if (between === null) return null
    result.push(...between, ...base.slice(i, i + 1))
  }
  return result
}

function gaps(base: string[], side: string[]): string[][] {
  const found: string[][] = base.map(() => [])
  found.push([])
  const known = new Map((matches(base, side) ?? []).map((match) => [match.right, match.left]))
  let gap = 0
  side.forEach((line, index) => {
    const at = known.get(index)
    if (at === undefined) found[gap]!.push(line)
    else gap = at + 1
  })
  return found
}

/** Two blocks that were added at one place. Under the same headings they become one; null: no order is right. */
function blocks(ours: string[], theirs: string[]): string[] | null {
  const shared = commonHead(ours, theirs)
  if (shared > 0) {
    const rest = blocks(ours.slice(shared), theirs.slice(shared))
    return rest === null ? null : [...ours.slice(0, shared), ...rest]
  }
  const fresh = theirs.some(isHeading) ? theirs : theirs.filter((line) => isBlank(line) || !ours.includes(line))
  if (fresh.every(isBlank)) return ours
  if (ours.every(isBlank)) return fresh
  if (!ours.some(isHeading) || !startsPlain(fresh)) return joinedBlocks(ours, fresh)
  return fresh.some(isHeading) && startsPlain(ours) ? null : joinedBlocks(fresh, ours)
}

function commonHead(ours: string[], theirs: string[]): number {
  let length = 0
  while (length < ours.length && ours[length] === theirs[length]) length++
  return length
}

/** Entries of one list stay together; between others the blank lines stay. */
function joinedBlocks(first: string[], second: string[]): string[] {
  const end = first.findLastIndex((line) => !isBlank(line)) + 1
  const start = second.findIndex((line) => !isBlank(line))
  const isOneList = bullet(first[end - 1]) !== null && bullet(first[end - 1]) === bullet(second[start])
  return isOneList ? [...first.slice(0, end), ...second.slice(start)] : [...first, ...second]
}

const isBlank = (line: string): boolean => line.trim() === ''
const isHeading = (line: string): boolean => /^#{1,6} |^\[[^\]]+\]\s*$/.test(line)
const startsPlain = (lines: string[]): boolean => !isHeading(lines.find((line) => !isBlank(line)) ?? '')
const bullet = (line: string | undefined): string | null =>
  /^\s*([-*+]|\d+[.)]) /.exec(line ?? '')?.[1]?.replace(/\d+/, '1') ?? null

/** Ways in which the lines could be put together; whoever asks must see whether one of them says what it should. */
export function candidates({ base, ours, theirs }: Texts): string[] {
  const sides = { base: ended(base ?? ''), ours: ended(ours), theirs: ended(theirs) }
  return [lineByLine, oursFirst, theirsFirst].flatMap((settle) => {
    const lines = mergeSequences(sides, (hunk) => lineByLine(hunk) ?? settle(hunk))
    return lines === null ? [] : [lines.join('')]
  })
}

/** Neighbours that each side changed one of. */
function lineByLine({ base, ours, theirs }: Hunk): string[] | null {
  if (base.length === 0 || base.length !== ours.length || base.length !== theirs.length) return null
  const lines = base.map((line, i) => (theirs[i] === line ? ours[i]! : ours[i] === line ? theirs[i]! : null))
  return lines.includes(null) ? null : (lines as string[])
}

/** What each side added, and what of the base both have kept before it. */
const oursFirst = (hunk: Hunk): string[] | null => together(hunk, [hunk.ours, hunk.theirs])
const theirsFirst = (hunk: Hunk): string[] | null => together(hunk, [hunk.theirs, hunk.ours])

function together({ base }: Hunk, [first, second]: [string[], string[]]): string[] | null {
  const [more, less] = [added(base, second), added(base, first)]
  if (first.length !== base.length + less.length && second.length !== base.length + more.length) return null
  return [...first.filter((line) => !base.includes(line) || second.includes(line)), ...more]
}

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
    return agreed(hunk, (left, right) => bare(left) === bare(right))
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
