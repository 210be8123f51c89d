import { type Change, pathBefore } from '../files/change.ts'
import { withoutForm } from '../files/form.ts'
import { languageOf } from '../files/test-file.ts'
import { type NamedTest, namedTests } from './named-tests.ts'

/** The tests of a file that a change adds, changes in more than their looks, or leaves as they are. */
export interface ChangedTests {
  added: string[]
  changed: string[]
  same: string[]
}

/** `moved`: what tests the other files of the diff had before, for a test may come from one of them. */
export function changedTests(change: Change, moved: readonly NamedTest[] = []): ChangedTests {
  const before = change.before === null ? [] : namedTests(pathBefore(change), change.before)
  const after = change.after === null ? [] : namedTests(change.path, change.after)
  const plain = (text: string): string => withoutForm(text, languageOf(change.path))
  const [then, now] = [textsByName(before, plain), textsByName(after, plain)]
  const elsewhere = new Set(moved.map((test) => `${test.name}\n${plain(test.text)}`))
  const kindOf = (name: string): keyof ChangedTests => {
    const [had, has] = [then.get(name) ?? [], now.get(name)!]
    if (had.join('\n') === has.join('\n')) return 'same'
    if (had.length > 0) return 'changed'
    return has.every((text) => elsewhere.has(`${name}\n${text}`)) ? 'same' : 'added'
  }
  const told: ChangedTests = { added: [], changed: [], same: [] }
  for (const name of now.keys()) told[kindOf(name)].push(name)
  return told
}

/** All tests that were in the files of a diff before it. */
export const formerTests = (changes: readonly Change[]): NamedTest[] =>
  changes.flatMap((change) => (change.before === null ? [] : namedTests(pathBefore(change), change.before)))

/** Two tests of one name count as one that has both texts. */
function textsByName(tests: readonly NamedTest[], plain: (text: string) => string): Map<string, string[]> {
  const texts = new Map<string, string[]>()
  for (const { name, text } of tests) {
    const own = texts.get(name)
    if (own === undefined) texts.set(name, [plain(text)])
    else own.push(plain(text))
  }
  for (const own of texts.values()) own.sort()
  return texts
}

/** Whether a runner's name for a test means the test of this name: with its suites before it, its parameters after. */
export function means(reported: string, name: string): boolean {
  const parts = name.split(/%[sdifjoO#pc]|\$\{[^}]*\}|\$\w+/)
  let from = 0
  // The first place that fits leaves most for the rest, so that no other has to be tried.
  for (const [index, part] of parts.slice(0, -1).entries()) {
    const at = placeOf(part, { reported, from, fits: (place) => index > 0 || isBegin(reported, place) })
    if (at === -1) return false
    from = at + part.length
  }
  const [last, isWhole] = [parts.at(-1)!, parts.length === 1]
  const fits = (place: number): boolean =>
    /^[[/]?$/.test(reported.charAt(place + last.length)) && (!isWhole || isBegin(reported, place))
  return placeOf(last, { reported, from, fits }) !== -1
}

interface Sought {
  reported: string
  from: number
  fits: (place: number) => boolean
}

function placeOf(part: string, { reported, from, fits }: Sought): number {
  for (let at = reported.indexOf(part, from); at !== -1; at = reported.indexOf(part, at + 1)) {
    if (fits(at)) return at
    if (at === reported.length) return -1
  }
  return -1
}

const isBegin = (reported: string, place: number): boolean =>
  place === 0 || /[\s>›:/.]/.test(reported.charAt(place - 1))
