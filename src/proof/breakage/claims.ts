// What tests say in so many words: that a result is this number, or this text.
import type { TestFailure } from '../results/check-result.ts'

export interface Bent {
  /** The test file, where one claim of each test says something else than it did. */
  text: string
  /** What these claims said before, each with the line that it stood in. */
  said: { result: string; line: string }[]
  lines: Map<string, string>
}

const begins = /^\s*(?:(?:test|it|specify)\b.*\(|(?:async\s+)?def\s+test|func\s+Test|#\[(?:\w+::)?test\b)/
const equal = /\b(?:\w*equals?|to_?be|is|same|assert_eq|eql)\b!?\s*\(|(?:^|[^=!<>])={2,3}(?!=)|!==?/i
/** Others may hold for another result, too. */
const loose =
  /[^=<>-](?:<|>)=?|\bnot\w*|\b(?:or|in|any|all|some|every)\b|\|\||almost|close|approx|match|includ|contain|assertNot/i
const literal = /(?<![\w.$"'`-])\d+(?:\.\d+)?(?![\w."'`])|"[^"\\\n]{3,60}"|'[^'\\\n]{3,60}'/g

/** The file with the claim of this number in each test bent, of those lines that are kept; null: there is none. */
export function bentClaims(text: string, turn: number, kept: ReadonlySet<string>): Bent | null {
  const lines = new Map<string, string>()
  const said: Bent['said'] = []
  let claims = 0
  const all = text.split('\n')
  for (const line of all) {
    if (begins.test(line)) claims = 0
    const bent = bentLine(line)
    if (bent === null || claims++ !== turn || !kept.has(line)) continue
    said.push({ result: bent.said, line })
    lines.set(line, bent.line)
  }
  // A line that stands there twice is bent twice, as it is on the base: else the two would not be the same test.
  return said.length === 0 ? null : { text: all.map((line) => lines.get(line) ?? line).join('\n'), said, lines }
}

/** The last thing that a line names is mostly what it claims. */
function bentLine(line: string): { line: string; said: string } | null {
  const last = equal.test(line) && !loose.test(line) ? [...line.matchAll(literal)].at(-1) : undefined
  if (last === undefined) return null
  const [word] = last
  const isText = /^["']/.test(word)
  const said = isText ? word.slice(1, -1) : word
  const other = isText ? `${word.slice(0, -1)}x${word[0]}` : `${word.slice(0, -1)}${(Number(word.at(-1)) + 1) % 10}`
  // Other digits make no number of it: 09.
  if (/^0\d/.test(other)) return null
  return { line: line.slice(0, last.index) + other + line.slice(last.index + word.length), said }
}

/** Whether what a failure tells has this result in it; a number may be written otherwise. */
export function tells(text: string, said: string): boolean {
  const numbers = /^\d/.test(said) ? (text.replace(/:\d+(?::\d+)?/g, '').match(/(?<![\w.])\d+(?:\.\d+)?/g) ?? []) : []
  if (numbers.some((one) => Number(one) === Number(said))) return true
  const word = said.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`(?<![\\w.])${word}(?![\\w.]*\\w)`).test(text.replace(/:\d+(?::\d+)?/g, ''))
}

/** By its message if that has it, since the rest also shows code; null: it does not tell. */
export const toldIn = (failure: TestFailure, said: string): 'error' | 'stack' | null =>
  (['error', 'stack'] as const).find((part) => tells(failure[part], said)) ?? null

/** Whether it may tell of more than can be read in it. */
export const isCutOff = ({ error, stack }: TestFailure): boolean => /\.\.\.|…/.test(error) || `${error}${stack}` === ''
