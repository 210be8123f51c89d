// Tools that run the scripts of several packages at once put a name before each line.
const prefixes = [
  /^(@?[\w./-]+:[\w:-]+): ?/, // turbo
  /^([\w@./-]+ [\w:-]+)(?:: |:$|\$ )/, // pnpm
  /^\[([^\]\s]+)\] ?/, // concurrently, npm-run-all
]

/** What each of them printed, without the names; empty when the lines have none. */
export function lanesOf(text: string): string[] {
  const lines = text.split('\n')
  const prefix = prefixes.find((one) => lines.filter((line) => one.test(line)).length * 2 > lines.length)
  if (prefix === undefined) return []
  const lanes = new Map<string, string[]>()
  for (const line of lines) {
    const found = prefix.exec(line)
    if (found === null) continue
    const name = found[1]!
    if (!lanes.has(name)) lanes.set(name, [])
    lanes.get(name)!.push(line.slice(found[0].length))
  }
  return [...lanes.values()].map((lane) => lane.join('\n'))
}
