import { declined, merged, type Resolution, type Texts, textLines } from './resolution.ts'
import { added, type Hunk, matches, mergeSequences } from './three-way.ts'

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
  if (!ours.some(isHeading) || !startsPlain(fresh)) return joined(ours, fresh)
  return fresh.some(isHeading) && startsPlain(ours) ? null : joined(fresh, ours)
}

function commonHead(ours: string[], theirs: string[]): number {
  let length = 0
  while (length < ours.length && ours[length] === theirs[length]) length++
  return length
}

/** Entries of one list stay together; between others the blank lines stay. */
function joined(first: string[], second: string[]): string[] {
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
