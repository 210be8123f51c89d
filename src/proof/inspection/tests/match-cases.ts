import { literalsOf, missing } from './literals.ts'
import { similarity, wordsOf } from './similarity.ts'
import { type Case, type TestChange, type TestFile, testsOf } from './test-case.ts'

interface Located {
  test: Case
  path: string
}

export interface Kept {
  before: Case
  after: Case
  path: string
  from: string
  /** What stands around the tests of its file, before and after; null when it went to another file. */
  around: { before: Case; after: Case } | null
}

export interface MatchedCases {
  kept: Kept[]
  vanished: Located[]
  fresh: Located[]
}

const alike = 0.6
const mostCompared = 400

/** Which test became which, over all files of a diff: tests may be moved and renamed. */
export function matchCases(changes: readonly TestChange[]): MatchedCases {
  const matched: MatchedCases = { kept: [], vanished: [], fresh: [] }
  for (const change of changes) matchFile(change, matched)
  matchIdentical(matched)
  matchMoved(matched)
  matched.vanished = notAbsorbed(matched)
  return matched
}

function matchFile({ change, before, after, inline }: TestChange, matched: MatchedCases): void {
  const path = change.path
  const had = testsOf(before)
  const tabled = before !== null && after !== null && becameTable(before, after)
  const open = groupByName(testsOf(after))
  const around = before === null || after === null ? null : { before: before.rest, after: after.rest }
  for (const test of had) {
    const same = open.get(test.name) ?? []
    const exact = same.findIndex((one) => bare(one) === bare(test))
    const [taken] = same.splice(Math.max(0, exact), 1)
    if (taken === undefined && !tabled) matched.vanished.push({ test, path })
    else if (taken !== undefined) matched.kept.push({ before: test, after: taken, path, from: path, around })
  }
  matched.fresh.push(...[...open.values()].flat().map((test) => ({ test, path })))
  if (before !== null && after !== null && !inline && (!claimsAsMuch(before, after) || fewerRows(before, after)))
    matched.kept.push({ before: before.rest, after: after.rest, path, from: path, around })
}

/** Several tests became one over a table, which still names every value they named. */
function becameTable(before: TestFile, after: TestFile): boolean {
  const tables = (file: TestFile): number => [...file.masked.matchAll(table)].length
  if (tables(after) <= tables(before)) return false
  const named = testsOf(before).flatMap((test) => test.facts.assertions.flatMap((one) => one.literals))
  return missing(named, literalsOf(after.text, after.masked)).length === 0
}

const table = /\.\s*(?:each|forEach)\b|parametrize|#\[case\b|\bfor\b/g

const fewerRows = (before: TestFile, after: TestFile): boolean =>
  after.rest.facts.rows.length < before.rest.facts.rows.length

/** What stood around the tests may have moved into them. */
function claimsAsMuch(before: TestFile, after: TestFile): boolean {
  if (bare(before.rest) === bare(after.rest)) return true
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

/** Only the name, or the file, is another one: many tests may be so at once. */
function matchIdentical(matched: MatchedCases): void {
  const byBody = new Map<string, Located[]>()
  for (const fresh of matched.fresh) byBody.set(nameless(fresh), [...(byBody.get(nameless(fresh)) ?? []), fresh])
  const taken = new Set<Case>()
  matched.vanished = matched.vanished.filter((gone) => {
    const found = byBody.get(nameless(gone))?.shift()
    if (found === undefined) return true
    matched.kept.push({ before: gone.test, after: found.test, path: found.path, from: gone.path, around: null })
    taken.add(found.test)
    return false
  })
  matched.fresh = matched.fresh.filter(({ test }) => !taken.has(test))
}

const nameless = ({ test }: Located): string => bare(test).replace(test.name.replace(/\s+/g, ''), '')

/** A vanished test is the fresh one that has its name, or says much the same. */
function matchMoved(matched: MatchedCases): void {
  const left: Located[] = []
  const candidates = matched.fresh.slice(0, mostCompared).map(wordy)
  const taken = new Set<Case>()
  for (const gone of matched.vanished.slice(0, mostCompared)) {
    const found = bestFor(wordy(gone), candidates)
    if (found === null) {
      left.push(gone)
      continue
    }
    matched.kept.push({ before: gone.test, after: found.test, path: found.path, from: gone.path, around: null })
    if (isTable(found.test)) continue
    candidates.splice(candidates.indexOf(found), 1)
    taken.add(found.test)
  }
  matched.fresh = matched.fresh.filter(({ test }) => !taken.has(test))
  matched.vanished = [...left, ...matched.vanished.slice(mostCompared)]
}

interface Wordy extends Located {
  body: Set<string>
  name: Set<string>
  literals: string[]
  /** How many of its assertions claim all. */
  firm: number
}

const wordy = ({ test, path }: Located): Wordy => ({
  test,
  path,
  body: wordsOf(test.text.replace(test.name, '')),
  name: wordsOf(test.name),
  literals: test.facts.assertions.flatMap((one) => one.literals),
  firm: test.facts.assertions.filter((one) => one.weight === 3).length,
})

/** One test over a table may stand for several. */
const isTable = (test: Case): boolean => test.masked.search(table) !== -1

function bestFor(gone: Wordy, candidates: readonly Wordy[]): Wordy | null {
  let [best, found] = [0, null as Wordy | null]
  for (const one of candidates) {
    if (one.test.name === gone.test.name) return one
    const likeness = Math.max(similarity(gone.body, one.body), similarity(gone.name, one.name))
    const score = likeness < alike && claimsTheSame(gone, one) ? alike : likeness
    if (score >= alike && score > best) [best, found] = [score, one]
  }
  return found
}

/** Whatever things are called now, the same values are claimed as firmly. */
const claimsTheSame = (gone: Wordy, come: Wordy): boolean =>
  gone.literals.length > 1 &&
  gone.firm > 0 &&
  come.firm >= gone.firm &&
  missing(gone.literals, come.literals).length === 0

/** A vanished test whose every assertion is now made, word by word, by a test that did not make it before. */
function notAbsorbed({ kept, fresh, vanished }: MatchedCases): Located[] {
  if (vanished.length === 0) return []
  const texts = (tests: readonly Case[]): string[] =>
    tests.flatMap((test) => test.facts.assertions.map(({ text }) => text))
  const had = texts(kept.map(({ before }) => before))
  let open = missing(texts([...kept.map(({ after }) => after), ...fresh.map(({ test }) => test)]), had)
  return vanished.filter(({ test }) => {
    const own = texts([test])
    if (own.length === 0 || missing(own, open).length > 0) return true
    open = missing(open, own)
    return false
  })
}
