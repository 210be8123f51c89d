import { literalsOf, missing } from './literals.ts'
import { similarity, wordsOf } from './similarity.ts'
import { type Case, type TestChange, type TestFile, testsOf } from './test-case.ts'

interface Located {
  test: Case
  path: string
}

export interface MatchedCases {
  kept: { before: Case; after: Case; path: string; from: string }[]
  vanished: Located[]
  fresh: Located[]
}

const alike = 0.6
const mostCompared = 400

/** Which test became which, over all files of a diff: tests may be moved and renamed. */
export function matchCases(changes: readonly TestChange[]): MatchedCases {
  const matched: MatchedCases = { kept: [], vanished: [], fresh: [] }
  for (const change of changes) matchFile(change, matched)
  matchMoved(matched)
  return matched
}

function matchFile({ change, before, after, inline }: TestChange, matched: MatchedCases): void {
  const path = change.path
  const had = testsOf(before)
  const tabled = before !== null && after !== null && becameTable(before, after)
  const open = groupByName(testsOf(after))
  for (const test of had) {
    const same = open.get(test.name) ?? []
    const exact = same.findIndex((one) => bare(one) === bare(test))
    const [taken] = same.splice(Math.max(0, exact), 1)
    if (taken === undefined && !tabled) matched.vanished.push({ test, path })
    else if (taken !== undefined) matched.kept.push({ before: test, after: taken, path, from: path })
  }
  matched.fresh.push(...[...open.values()].flat().map((test) => ({ test, path })))
  if (before !== null && after !== null && !inline && (!claimsAsMuch(before, after) || fewerRows(before, after)))
    matched.kept.push({ before: before.rest, after: after.rest, path, from: path })
}

/** Several tests became one over a table, which still names every value they named. */
function becameTable(before: TestFile, after: TestFile): boolean {
  const tables = (file: TestFile): number => [...file.masked.matchAll(table)].length
  const named = testsOf(before).flatMap((test) => test.facts.assertions.flatMap((one) => one.literals))
  return tables(after) > tables(before) && missing(named, literalsOf(after.text, after.masked)).length === 0
}

const table = /\.\s*(?:each|forEach)\b|parametrize|#\[case\b|\bfor\b/g

const fewerRows = (before: TestFile, after: TestFile): boolean =>
  after.rest.facts.rows.length < before.rest.facts.rows.length

/** What stood around the tests may have moved into them. */
function claimsAsMuch(before: TestFile, after: TestFile): boolean {
  const strong = (file: TestFile, least: number): number =>
    [file.rest, ...testsOf(file)].flatMap((test) => test.facts.assertions).filter((one) => one.weight >= least).length
  return [1, 2, 3].every((least) => strong(after, least) >= strong(before, least))
}

const bare = (test: Case): string => test.text.replace(/\s+/g, '')

function groupByName(tests: Case[]): Map<string, Case[]> {
  const groups = new Map<string, Case[]>()
  for (const test of tests) groups.set(test.name, [...(groups.get(test.name) ?? []), test])
  return groups
}

/** A vanished test is the fresh one that has its name, or says much the same. */
function matchMoved(matched: MatchedCases): void {
  const left: Located[] = []
  const candidates = matched.fresh.slice(0, mostCompared).map(wordy)
  for (const gone of matched.vanished.slice(0, mostCompared)) {
    const taken = bestFor(wordy(gone), candidates)
    if (taken === null) {
      left.push(gone)
      continue
    }
    matched.kept.push({ before: gone.test, after: taken.test, path: taken.path, from: gone.path })
    if (isTable(taken.test)) continue
    candidates.splice(candidates.indexOf(taken), 1)
    matched.fresh = matched.fresh.filter(({ test }) => test !== taken.test)
  }
  matched.vanished = [...left, ...matched.vanished.slice(mostCompared)]
}

interface Wordy extends Located {
  body: Set<string>
  name: Set<string>
}

const wordy = ({ test, path }: Located): Wordy => ({
  test,
  path,
  body: wordsOf(test.text.replace(test.name, '')),
  name: wordsOf(test.name),
})

/** One test over a table may stand for several. */
const isTable = (test: Case): boolean => test.masked.search(table) !== -1

function bestFor(gone: Wordy, candidates: readonly Wordy[]): Wordy | null {
  let [best, found] = [0, null as Wordy | null]
  for (const one of candidates) {
    const likeness = Math.max(similarity(gone.body, one.body), similarity(gone.name, one.name))
    const score =
      one.test.name === gone.test.name ? 1 : Math.max(likeness, claimsTheSame(gone.test, one.test) ? alike : 0)
    if (score >= alike && score > best) [best, found] = [score, one]
  }
  return found
}

/** Whatever things are called now, the same values are claimed as firmly. */
function claimsTheSame(gone: Case, come: Case): boolean {
  const wanted = gone.facts.assertions.flatMap((one) => one.literals)
  const firm = (test: Case): number => test.facts.assertions.filter((one) => one.weight === 3).length
  const named = come.facts.assertions.flatMap((one) => one.literals)
  return wanted.length > 1 && firm(gone) > 0 && firm(come) >= firm(gone) && missing(wanted, named).length === 0
}
