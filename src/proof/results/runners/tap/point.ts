export interface Point {
  depth: number
  ok: boolean
  number: number | null
  name: string
  directive: 'skip' | 'todo' | null
}

/** A test point of TAP, or null for any other line. */
export function readPoint(line: string): Point | null {
  const found = /^((?: {4})*)(not )?ok(?: (\d+))?(?: ?- | |$)(.*)$/.exec(line)
  if (!found) return null
  const described = /^(.*?)(?:(?:^|[^\\])#\s*(skip|todo)\b.*)?$/i.exec(found[4]!)!
  return {
    depth: found[1]!.length / 4,
    ok: found[2] === undefined,
    number: found[3] === undefined ? null : Number(found[3]),
    name: unescaped(described[1]!),
    directive: (described[2]?.toLowerCase() as 'skip' | 'todo' | undefined) ?? null,
  }
}

export const unescaped = (name: string): string => name.trim().replaceAll('\\#', '#')
