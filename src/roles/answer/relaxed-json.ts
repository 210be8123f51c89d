// JSON as models write it: comments, any quotes, missing and trailing commas, bare keys, wrong escapes.
// Everything that is JSON is read as what it is; what ends too early or goes wrong is told, never completed.
/** Stands for a value whose key is there more than once: nobody can tell which one holds. */
export const givenTwice = Symbol('given twice')

/**
 * `value` is a map without prototype, or a list. Of one that was cut it has what was whole: members of the map,
 * elements of it and of the lists right below it. A key whose value could not be read is there, as undefined.
 */
export type JsonReading = { value: Container; start: number; end: number } & (
  | { status: 'whole' }
  | { status: 'cut' }
  | { status: 'broken'; expected: string }
)

export type Container = Record<string, unknown> | unknown[]

export function readContainer(text: string, at: number): JsonReading {
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
  if (quotes.has(reader.text[reader.at])) return quoted(reader, 'key')
  const key = taken(reader, bareKey)
  return key === '' ? broken(reader, 'a key in quotes') : key
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
  if (quotes.has(char)) return quoted(reader, 'value')
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
  const before = reader.at
  const found = taken(reader, bareWord)
  const after = reader.at
  const isEnd = endsAt(reader.text, pastSpace(reader.text, after))
  const isNumber = number.test(found)
  const isKnown = isNumber || words.has(found)
  if (isEnd || !isKnown) reader.at = before
  if (isEnd) return cutOff(reader)
  if (!isKnown) return broken(reader, 'a value')
  return isNumber ? Number(found) : words.get(found)
}

/** A comma, also before the end; it may be missing where a line ends. */
function separator(reader: Reader, close: string): void {
  const { text, at } = reader
  if (text[at] === ',') {
    reader.at++
    skipTrivia(reader)
  } else if (!endsAt(text, at) && text[at] !== close && !startsLine(text, at)) broken(reader, `a comma or ${close}`)
}

function startsLine(text: string, at: number): boolean {
  let before = at
  while (before > 0 && ' \t'.includes(text[before - 1]!)) before--
  return text[before - 1] === '\n'
}

/** Where reading stands. Once `stop` is set nothing more is read. */
interface Reader {
  text: string
  at: number
  /** `cut`: the text ends before the value does. `broken`: it goes on with something that does not belong there. */
  stop: { status: 'cut' } | { status: 'broken'; expected: string } | null
}

/** What fits here, past which reading goes on; empty when nothing does. */
function taken(reader: Reader, pattern: RegExp): string {
  pattern.lastIndex = reader.at
  const found = pattern.exec(reader.text)?.[0] ?? ''
  reader.at += found.length
  return found
}

const space = /[\t-\r \xa0\u2000-\u200a\u3000]*/y
const blank = /[\t-\r \xa0\u2000-\u200a\u3000]+|(?:#|\/\/)[^\n]*|\/\*[\s\S]*?(?:\*\/|$(?![\s\S]))/y

/** Past white space and comments: one after the other, since a pattern for all of them would need a stack for it. */
function skipTrivia(reader: Reader): void {
  while (taken(reader, blank) !== '');
}

function pastSpace(text: string, at: number): number {
  space.lastIndex = at
  return at + space.exec(text)![0].length
}

/** The end of the text, or of the fence that it stands in. */
const endsAt = (text: string, at: number): boolean =>
  at >= text.length || text.startsWith('```', at) || text.startsWith('~~~', at)

function cutOff(reader: Reader): undefined {
  reader.stop ??= { status: 'cut' }
}

function broken(reader: Reader, expected: string): undefined {
  reader.stop ??= { status: 'broken', expected }
}

/** What each quote is closed by: curly ones by any of their kind, or by a straight one. */
const quotes = new Map<string | undefined, string>([
  ['"', '"'],
  ["'", "'"],
  ...[...'‘’‚‛'].map((open) => [open, "'‘’‚‛"] as const),
  ...[...'“”„‟'].map((open) => [open, '"“”„‟'] as const),
])

/** Text in quotes of any kind. A quote that nothing fitting follows belongs to the text: somebody forgot to escape it. */
function quoted(reader: Reader, is: 'key' | 'value'): string | undefined {
  const { text } = reader
  const closing = quotes.get(text[reader.at])!
  let read = ''
  let from = ++reader.at
  for (; reader.at < text.length; reader.at++) {
    const char = text[reader.at]!
    if (char === '\\') {
      read += text.slice(from, reader.at) + escaped(reader)
      from = reader.at + 1
    } else if (closing.includes(char)) {
      if (closes(text, reader.at + 1, is)) return read + text.slice(from, reader.at++)
      if (opensObject(reader)) return broken(reader, 'the end of a text')
    }
  }
  return cutOff(reader)
}

/** Whether what comes next can come after a text. */
function closes(text: string, after: number, is: 'key' | 'value'): boolean {
  const at = pastSpace(text, after)
  const next = text[at]
  if (next !== undefined && (is === 'key' ? ':' : ',]}').includes(next)) return true
  if (endsAt(text, at) || text.startsWith('//', at) || text.startsWith('/*', at)) return true
  return is === 'value' && quotes.has(next) && text.slice(after, at).includes('\n')
}

/** An object begins inside the text: its end was forgotten or cut off, and what follows is something else. */
function opensObject(reader: Reader): boolean {
  const before = reader.text.slice(Math.max(0, reader.at - 40), reader.at).trimEnd()
  if (!before.endsWith('{')) return false
  reader.at = reader.text.lastIndexOf('{', reader.at)
  return true
}

const meanings: Record<string, string> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', '\n': '\n' }
const unchanged = '"\'\\/'

/** Up to its last character. One that JSON does not know stays as it is written: most are patterns and Windows paths. */
function escaped(reader: Reader): string {
  const char = reader.text[reader.at + 1] ?? ''
  const hex = char === 'u' ? /^[0-9a-f]{4}$/i.exec(reader.text.slice(reader.at + 2, reader.at + 6)) : null
  reader.at += hex === null ? 1 : 5
  if (hex !== null) return String.fromCharCode(Number.parseInt(hex[0], 16))
  return unchanged.includes(char) ? char : (meanings[char] ?? `\\${char}`)
}
