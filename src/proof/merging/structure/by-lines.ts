import { linesOf } from '../line-endings.ts'
import type { Texts } from '../resolution.ts'
import { added, type Hunk, mergeSequences } from '../sequence/three-way.ts'

/** Ways in which the lines could be put together; whoever asks must see whether one of them says what it should. */
export function candidates({ base, ours, theirs }: Texts): string[] {
  const sides = { base: ended(base ?? ''), ours: ended(ours), theirs: ended(theirs) }
  return [lineByLine, oursFirst, theirsFirst].flatMap((settle) => {
    const lines = mergeSequences(sides, (hunk) => lineByLine(hunk) ?? settle(hunk))
    return lines === null ? [] : [lines.join('')]
  })
}

const ended = (text: string): string[] => linesOf(text === '' || text.endsWith('\n') ? text : `${text}\n`)

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
