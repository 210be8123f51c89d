import { type Fact, fact, listed, mostOf } from './fact.ts'

/** A commit, with the files that it changed. */
export interface PastChange {
  author: string
  subject: string
  files: string[]
}

/** Commits that touch more files than this are sweeps: they say nothing about what belongs together. */
const sweep = 20
const fewest = 3

/** What the last commits, the latest first, say about how a repository changes. */
export function historyFacts(changes: readonly PastChange[]): Fact[] {
  if (changes.length === 0) return []
  const focused = changes.filter(({ files }) => files.length <= sweep)
  const authors = new Set(changes.map(({ author }) => author)).size
  return [
    fact('activity', [`the last ${changes.length} commits are by ${authors} ${authors === 1 ? 'author' : 'authors'}`]),
    fact('commit messages', [messageHabit(changes.map(({ subject }) => subject))]),
    fact('change often', often(changes.flatMap(({ files }) => files)).map(times)),
    fact('change together', together(focused)),
    fact(
      'mended often',
      often(changes.filter(({ subject }) => mends.test(subject)).flatMap(({ files }) => files)).map(times),
    ),
    fact(
      'taken back',
      changes
        .filter(({ subject }) => /^revert\b/i.test(subject))
        .slice(0, 3)
        .map(({ subject }) => subject),
    ),
  ].filter(({ text }) => text !== '')
}

const mends = /\b(?:fix(?:es|ed)?|bug(?:s|fix)?|mend(?:s|ed)?|hotfix|regression|crash(?:es)?)\b/i

const often = (files: string[]): [string, number][] => mostOf(files, 10).filter(([, count]) => count >= fewest)

const times = ([file, count]: [string, number]): string => `${file} (${count} times)`

/** Pairs of which the rarer one seldom changes without the other. */
function together(changes: PastChange[]): string[] {
  const each = new Map(
    mostOf(
      changes.flatMap(({ files }) => [...new Set(files)]),
      Number.POSITIVE_INFINITY,
    ),
  )
  const pairs = changes.flatMap(({ files }) => {
    const known = [...new Set(files)].filter((file) => (each.get(file) ?? 0) >= fewest).sort()
    return known.flatMap((one, index) => known.slice(index + 1).map((other) => `${one}\0${other}`))
  })
  return mostOf(pairs, 40)
    .filter(([pair, count]) => {
      const rarer = Math.min(...pair.split('\0').map((file) => each.get(file) ?? 0))
      return count >= fewest && count / rarer >= 0.6
    })
    .slice(0, 8)
    .map(([pair, count]) => `${pair.replace('\0', ' with ')} (${count} times)`)
}

function messageHabit(subjects: string[]): string {
  const typed = subjects
    .map((subject) => /^([a-z]+)(?:\([^)]*\))?!?: /.exec(subject)?.[1])
    .filter((type) => type !== undefined)
  if (typed.length / subjects.length >= 0.6)
    return `a type and a colon first (${listed(mostOf(typed, 6).map(([type]) => type))})`
  const lengths = subjects.map(({ length }) => length).sort((a, b) => a - b)
  return `plain sentences of about ${lengths[Math.floor(lengths.length / 2)]} characters, such as "${subjects[0]}"`
}
