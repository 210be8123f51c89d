// JSON as models write it: comments, any quotes, missing and trailing commas, bare keys, wrong escapes.
// Everything that is JSON is read as what it is; what ends too early or goes wrong is told, never completed.
import { isQuote, quoted } from './quoted.ts'
import { broken, cutOff, endsAt, pastSpace, type Reader, skipTrivia } from './reader.ts'

/** Stands for a value whose key is there more than once: nobody can tell which one holds. */
export const givenTwice = Symbol('given twice')

/**
 * `value` is a map without prototype, or a list. Of one that was cut it has what was whole: members of the map,
 * elements of it and of the lists right below it. A key whose value could not be read is there, as undefined.
 */
export type Reading = { value: Container; start: number; end: number } & (
  | { status: 'whole' }
  | { status: 'cut' }
  | { status: 'broken'; expected: string }
)

export type Container = Record<string, unknown> | unknown[]

/** Reads the map or the list that opens here. */
export function readContainer(text: string, at: number): Reading {
  const reader: Reader = { text, at, stop: null }
  const value = emptyAt(reader)
  fill(reader, value, 0)
  return { value, start: at, end: reader.at, ...(reader.stop ?? { status: 'whole' }) }
}

const deepest = 64

function emptyAt({ text, at }: Reader): Container {
  return text[at] === '{' ? Object.create(null) : []
}

function fill(reader: Reader, into: Container, depth: number): void {
  const close = Array.isArray(into) ? ']' : '}'
  reader.at++
  skipTrivia(reader)
  while (reader.stop === null) {
    if (endsAt(reader.text, reader.at)) return cutOff(reader)
    if (reader.text[reader.at] === close) {
      reader.at++
      return
    }
    if (Array.isArray(into)) element(reader, into, depth)
    else member(reader, into, depth)
    if (reader.stop === null) separator(reader, close)
  }
}

function element(reader: Reader, into: unknown[], depth: number): void {
  const value = wholeValue(reader, depth)
  if (reader.stop === null) into.push(value)
}

function member(reader: Reader, into: Record<string, unknown>, depth: number): void {
  const key = keyAt(reader)
  if (key === undefined) return
  const twice = key in into
  into[key] = twice ? givenTwice : undefined
  skipTrivia(reader)
  if (endsAt(reader.text, reader.at)) return cutOff(reader)
  if (reader.text[reader.at] !== ':') return broken(reader, `":" after the key ${JSON.stringify(key.slice(0, 60))}`)
  reader.at++
  skipTrivia(reader)
  const value = wholeValue(reader, depth)
  const isCutList = reader.stop?.status === 'cut' && Array.isArray(value)
  if (!twice && (reader.stop === null || isCutList)) into[key] = value
}

const bareKey = /[A-Za-z_$][\w$-]{0,99}/y

function keyAt(reader: Reader): string | undefined {
  if (isQuote(reader.text.charCodeAt(reader.at))) return quoted(reader, 'key')
  bareKey.lastIndex = reader.at
  const key = bareKey.exec(reader.text)?.[0]
  if (key === undefined) return broken(reader, 'a key in quotes')
  reader.at += key.length
  return key
}

/** A text or a number at the very end may be the beginning of a longer one. */
function wholeValue(reader: Reader, depth: number): unknown {
  if (endsAt(reader.text, reader.at)) return cutOff(reader)
  const value = valueAt(reader, depth)
  skipTrivia(reader)
  if (endsAt(reader.text, reader.at) && (value === null || typeof value !== 'object')) cutOff(reader)
  return value
}

function valueAt(reader: Reader, depth: number): unknown {
  const char = reader.text[reader.at]
  if (isQuote(reader.text.charCodeAt(reader.at))) return quoted(reader, 'value')
  if (char !== '{' && char !== '[') return word(reader)
  if (depth + 1 >= deepest) return broken(reader, `at most ${deepest} levels`)
  const value = emptyAt(reader)
  fill(reader, value, depth + 1)
  return value
}

const bareWord = /[^\s,:\]}"'{[/#]{1,64}/y
const number = /^[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?$/i
const words = new Map<string, unknown>([
  ...['true', 'True'].map((word) => [word, true] as const),
  ...['false', 'False'].map((word) => [word, false] as const),
  ...['null', 'None'].map((word) => [word, null] as const),
])

function word(reader: Reader): unknown {
  bareWord.lastIndex = reader.at
  const found = bareWord.exec(reader.text)?.[0] ?? ''
  const isNumber = number.test(found)
  const at = reader.at + found.length
  if (endsAt(reader.text, pastSpace(reader.text, at))) return cutOff(reader)
  if (!isNumber && !words.has(found)) return broken(reader, 'a value')
  reader.at = at
  return isNumber ? Number(found) : words.get(found)
}

/** A comma, also before the end; it may be missing where a line ends. */
function separator(reader: Reader, close: string): void {
  const { text, at } = reader
  if (text[at] === ',') {
    reader.at++
    skipTrivia(reader)
  } else if (!endsAt(reader.text, reader.at) && text[at] !== close && !startsLine(text, at))
    broken(reader, `a comma or ${close}`)
}

function startsLine(text: string, at: number): boolean {
  let before = at
  while (before > 0 && ' \t'.includes(text[before - 1]!)) before--
  return text[before - 1] === '\n'
}
