import { type Change, pathBefore } from '../files/change.ts'
import { withoutForm } from '../files/form.ts'
import { type Language, languageOf } from '../files/test-file.ts'

/** The tests of a file that a change adds, changes in more than their looks, or leaves as they are. */
export interface ChangedTests {
  added: string[]
  changed: string[]
  same: string[]
}

/** `moved`: what tests the other files of the diff had before, for a test may come from one of them, or have a new name. */
export function changedTests(change: Change, moved: readonly NamedTest[] = []): ChangedTests {
  const before = change.before === null ? [] : namedTests(pathBefore(change), change.before)
  const after = change.after === null ? [] : namedTests(change.path, change.after)
  const plain = (text: string): string => withoutForm(text, languageOf(change.path))
  const [then, now] = [textsByName(before, plain), textsByName(after, plain)]
  const elsewhere = new Set(moved.map((test) => `${test.name}\n${plain(test.text)}`))
  const bodyOf = ({ name, text }: NamedTest): string => plain(text.replace(name, ''))
  const renamed = new Set([...before, ...moved].filter(({ name }) => !now.has(name)).map(bodyOf))
  const isRenamed = (name: string): boolean => after.every((test) => test.name !== name || renamed.has(bodyOf(test)))
  const kindOf = (name: string): keyof ChangedTests => {
    const [had, has] = [then.get(name) ?? [], now.get(name)!]
    if (had.join('\n') === has.join('\n')) return 'same'
    if (had.length > 0) return 'changed'
    return has.every((text) => elsewhere.has(`${name}\n${text}`)) || isRenamed(name) ? 'same' : 'added'
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

export interface NamedTest {
  name: string
  text: string
}

/** The tests in a file by their names, as far as words and indentation tell; suites are not tests. */
export function namedTests(path: string, text: string): NamedTest[] {
  const masked = withoutWords(text, languageOf(path))
  const heads = headsIn(path, text, masked)
  const ends = endsOf(heads, masked)
  // Tests within tests within tests have the same text many times over.
  let room = 10 * text.length
  return heads.map(({ name, start }, at) => {
    const own = text.slice(start, Math.min(ends[at]!, start + Math.max(room, shortest)))
    room -= own.length
    return { name, text: own }
  })
}

const shortest = 200

interface Head {
  name: string
  start: number
  /** Where its name is: what stands before, such as an attribute, is part of it. */
  named: number
}

const headers: [RegExp, RegExp][] = [
  [
    /\.(?:[cm]?[jt]sx?|dart)$/,
    /(?<![\w$.])(?:(?:Deno|QUnit|tap|t)\.)?[xf]?(?:test|it|specify)(?:\s*\.\s*\w+)*(?:\s*\(\s*(?=["'`])|\s*(?:<[^\n]{0,300})?[(`][^;]{0,20000}?[\])`]\s*\(\s*(?=["'`]))/g,
  ],
  [/\.py$/, /^[ \t]*(?:async[ \t]+)?def[ \t]+(?=test)/gm],
  [/\.(?:rb|exs?)$/, /^[ \t]*(?:(?:x?it|test|x?specify|example)[ \t(]+(?=["'])|def[ \t]+(?=test_))/gm],
  [/\.go$/, /^func\s+(?=(?:Test|Fuzz|Example)\w*\s*\()/gm],
  [
    /\.rs$/,
    /#\[(?:\w+::)?test\b[^\]]{0,300}\](?:\s{0,200}#\[[^\]]{0,300}\]){0,20}\s{0,200}(?:pub\s+)?(?:async\s+)?fn\s+/g,
  ],
  [
    /\.(?:java|kts?|cs|scala|groovy)$/,
    /(?:@(?:Test|ParameterizedTest|RepeatedTest)|\[(?:Fact|Theory|Test|TestMethod|TestCase))\b[^{;]{0,300}?(?<![\w`])(?=(?:\w{1,200}|`[^`\n]{0,200}`)\s{0,20}\()/g,
  ],
  [/\.(?:php|swift)$/, /\bfunc(?:tion)?\s+(?=test\w+\s*\()/g],
  [/\.(?:c|cc|cpp|h)$/, /\bTEST(?:_[FP])?\s*\(\s*(?=\w)/g],
]

function headsIn(path: string, text: string, masked: string): Head[] {
  const header = headers.find(([names]) => names.test(path))?.[1]
  if (header === undefined) return []
  return [...masked.matchAll(header)].map(({ 0: lead, index: start }) => {
    const named = start + lead.length
    return { name: nameAt(text, masked, named), start, named }
  })
}

/** A word, or what is between quotes. */
function nameAt(text: string, masked: string, at: number): string {
  const quote = masked[at]!
  if (!/["'`]/.test(quote)) return /^[\w, ]*\w/.exec(text.slice(at, at + 300))?.[0] ?? ''
  const end = masked.indexOf(quote, at + 1)
  return text.slice(at + 1, end === -1 ? at + 1 : end)
}

/** A test goes on as long as lines are further in than it is, or close what it opened. */
function endsOf(heads: readonly Head[], masked: string): number[] {
  const ends = heads.map(() => masked.length)
  let open: { at: number; indent: number }[] = []
  const close = (indent: number, place: number): void => {
    for (const one of open) if (one.indent >= indent) ends[one.at] = place
    open = open.filter((one) => one.indent < indent)
  }
  let next = 0
  for (let line = 0; line < masked.length; line = lineEnd(masked, line) + 1) {
    const [, space, first] = /^([ \t]*)(.?)/.exec(masked.slice(line, line + 400))!
    const isFree = next < heads.length && heads[next]!.start < line
    if (first !== '' && !/[)}\]{]/.test(first!) && !isEnd(masked, line) && !isFree) close(space!.length, line)
    for (; next < heads.length && heads[next]!.named <= lineEnd(masked, line); next++) {
      if (heads[next]!.start > line) close(space!.length, heads[next]!.start)
      open.push({ at: next, indent: space!.length })
    }
  }
  return ends
}

const isEnd = (masked: string, line: number): boolean => /^[ \t]*end\b/.test(masked.slice(line, line + 100))

function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at)
  return end === -1 ? text.length : end
}

const quoted = String.raw`"(?:[^"\\\n]|\\.)*"`
const slashes = String.raw`\/\/[^\n]*|\/\*[\s\S]*?\*\/`
const single = String.raw`'(?:[^'\\\n]|\\.)*'`
const words: Record<Language, RegExp> = {
  js: new RegExp(
    String.raw`${slashes}|(?<=[=(,:[!&|?{};>]\s{0,40})\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/|${quoted}|${single}|` +
      '`(?:[^`\\\\$]|\\\\[\\s\\S]|\\$(?!\\{)|\\$\\{(?:[^{}`]|`(?:[^`\\\\]|\\\\[\\s\\S])*`|\\{[^{}]*\\})*\\})*`',
    'g',
  ),
  python: new RegExp(String.raw`"""[\s\S]*?"""|'''[\s\S]*?'''|#[^\n]*|${quoted}|${single}`, 'g'),
  ruby: new RegExp(String.raw`#[^\n]*|${quoted}|${single}`, 'g'),
  braces: new RegExp(String.raw`${slashes}|${quoted}|'(?:\\[^\n]{1,8}?|[^\\'\n]{1,2})'|` + '`[^`]*`', 'g'),
  other: /$^/g,
}

/** Comments and the insides of strings blanked, character by character, so that places stay the same. */
const withoutWords = (text: string, language: Language): string =>
  text.replace(words[language], (word) => {
    const quote = /^["'`]/.test(word) ? word[0]! : ' '
    return word.length < 2 ? word : `${quote}${word.slice(1, -1).replace(/[^\n]/g, ' ')}${quote}`
  })
