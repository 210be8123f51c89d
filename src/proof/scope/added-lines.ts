import type { Change } from '../files/change.ts'

export interface AddedLine {
  line: number
  text: string
}

/** Lines of the result that the base did not have, wherever they stood there. */
export function addedLines({ before, after }: Change): AddedLine[] {
  if (after === null) return []
  const known = new Map<string, number>()
  for (const line of before?.split('\n') ?? []) known.set(line, (known.get(line) ?? 0) + 1)
  return after.split('\n').flatMap((text, index) => {
    const left = known.get(text) ?? 0
    if (left > 0) known.set(text, left - 1)
    return left > 0 || text.trim() === '' ? [] : [{ line: index + 1, text }]
  })
}
