const shown = 12

/** What a reader needs to see: the lines that went and those that came, and where the first of them is. */
export function lostLines(before: string, after: string): { offset: number; text: string } {
  const [had, has] = [before.split('\n'), after.split('\n')]
  const gone = differing(had, has)
  const come = differing(has, had)
  const first = has.findIndex((line) => come.includes(line))
  const signed = (sign: string, lines: string[]): string[] => [
    ...lines.slice(0, shown).map((line) => `${sign} ${line.trim().slice(0, 200)}`),
    ...(lines.length > shown ? [`${sign} … ${lines.length - shown} more lines`] : []),
  ]
  return { offset: Math.max(0, first), text: [...signed('-', gone), ...signed('+', come)].join('\n') }
}

function differing(lines: string[], others: string[]): string[] {
  const counts = new Map<string, number>()
  for (const line of others) counts.set(line.trim(), (counts.get(line.trim()) ?? 0) + 1)
  return lines.filter((line) => {
    const count = counts.get(line.trim()) ?? 0
    counts.set(line.trim(), count - 1)
    return count <= 0 && line.trim() !== ''
  })
}
