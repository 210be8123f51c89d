export interface Line {
  path: string
  line: number
  text: string
}

export interface RankedFile {
  path: string
  words: string[]
  lines: Line[]
}

/** Files by how many of the words they hold, each the weightier the fewer files hold it; in ties by path. */
export function rankFiles(
  found: readonly Line[],
  { words, files }: { words: readonly string[]; files: readonly string[] },
): RankedFile[] {
  const wanted = words.map((word) => word.toLowerCase())
  const byPath = new Map<string, { words: Set<string>; lines: Line[] }>()
  for (const one of found) note(byPath, one.path, { words: wordsIn(one.text, wanted), line: one })
  // A file that is called so is what is meant more often than one that mentions it.
  for (const path of files) {
    const named = wordsIn(path, wanted)
    if (named.length > 0) note(byPath, path, { words: named, line: null })
  }
  const holders = new Map<string, number>()
  for (const { words: held } of byPath.values())
    for (const word of held) holders.set(word, (holders.get(word) ?? 0) + 1)
  const weight = (word: string): number => Math.log(1 + files.length / holders.get(word)!)
  return [...byPath]
    .map(([path, { words: held, lines }]) => ({
      path,
      lines,
      words: [...held],
      score: [...held].reduce((sum, word) => sum + weight(word), 0) * bias(path),
    }))
    .toSorted((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1))
    .map(({ score, ...file }) => file)
}

function note(
  byPath: Map<string, { words: Set<string>; lines: Line[] }>,
  path: string,
  { words, line }: { words: string[]; line: Line | null },
): void {
  const entry = byPath.get(path) ?? { words: new Set(), lines: [] }
  byPath.set(path, entry)
  for (const word of words) entry.words.add(word)
  if (line !== null) entry.lines.push(line)
}

function wordsIn(text: string, wanted: string[]): string[] {
  const plain = text.toLowerCase()
  return wanted.filter((word) => plain.includes(word))
}

/** What is made by machines, or is not ours, tells little. */
const bias = (path: string): number =>
  /(?:^|\/)(?:node_modules|vendor|dist|build|fixtures?|snapshots?|__snapshots__)\/|lock(?:file)?\.\w+$|\.lock$|\.min\.\w+$|\.svg$|\.map$/.test(
    path,
  )
    ? 0.1
    : /(?:^|\/)(?:tests?|spec|__tests__)\/|\.(?:test|spec)\.\w+$/.test(path)
      ? 0.8
      : 1
