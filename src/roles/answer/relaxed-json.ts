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

/** Reads the map or the list that opens here. */
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

/** Where reading stands. Once `stop` is set nothing more is read. */
interface Reader {
  text: string
  at: number
  /** `cut`: the text ends before the value does. `broken`: it goes on with something that does not belong there. */
  stop: { status: 'cut' } | { status: 'broken'; expected: string } | null
}

/** Past white space and comments. */
function skipTrivia(reader: Reader): void {
  const { text } = reader
  for (;;) {
    reader.at = pastSpace(text, reader.at)
    const code = text.charCodeAt(reader.at)
    if (code !== slash && code !== hash) return
    const end = commentEnd(text, reader.at)
    if (end === null) return
    reader.at = end
  }
}

const [slash, hash, backtick, tilde] = [47, 35, 96, 126]

/** The end of the text, or of the fence that it stands in. */
function endsAt(text: string, at: number): boolean {
  if (at >= text.length) return true
  const code = text.charCodeAt(at)
  return (code === backtick || code === tilde) && (text.startsWith('```', at) || text.startsWith('~~~', at))
}

function cutOff(reader: Reader): undefined {
  reader.stop ??= { status: 'cut' }
}

export function broken(reader: Reader, expected: string): undefined {
  reader.stop ??= { status: 'broken', expected }
}

function pastSpace(text: string, from: number): number {
  let at = from
  while (isSpace(text.charCodeAt(at))) at++
  return at
}

function isSpace(code: number): boolean {
  if (code <= 32) return code === 32 || (code >= 9 && code <= 13)
  return code === 0xa0 || (code >= 0x2000 && code <= 0x200a) || code === 0x3000
}

function commentEnd(text: string, at: number): number | null {
  const isLine = text.charCodeAt(at) === hash || text.startsWith('//', at)
  if (!isLine && !text.startsWith('/*', at)) return null
  const end = isLine ? text.indexOf('\n', at) : text.indexOf('*/', at + 2)
  return end === -1 ? text.length : end + (isLine ? 0 : 2)
}

const [double, single, backslash] = [34, 39, 92]

/** Straight, or one of ‘ ’ ‚ ‛ “ ” „ ‟. */
const isQuote = (code: number): boolean => code === double || code === single || (code >= 0x2018 && code <= 0x201f)

/** Text in quotes of any kind. A quote that nothing fitting follows belongs to the text: somebody forgot to escape it. */
function quoted(reader: Reader, is: 'key' | 'value'): string | undefined {
  const { text } = reader
  const open = text.charCodeAt(reader.at)
  let read = ''
  let from = ++reader.at
  for (; reader.at < text.length; reader.at++) {
    const code = text.charCodeAt(reader.at)
    if (code === backslash) {
      read += text.slice(from, reader.at) + escaped(reader)
      from = reader.at + 1
    } else if (isClosing(open, code)) {
      if (closes(text, reader.at + 1, is)) return read + text.slice(from, reader.at++)
      if (opensObject(reader)) return broken(reader, 'the end of a text')
    }
  }
  return cutOff(reader)
}

/** Curly quotes are closed by any of their kind, or by a straight one. */
function isClosing(open: number, code: number): boolean {
  if (open <= single || code === open) return code === open
  const isSingle = open <= 0x201b
  return code === (isSingle ? single : double) || (isQuote(code) && code > single && code <= 0x201b === isSingle)
}

const comma = 44
const colon = 58
const ends = [comma, 93, 125]

/** Whether what comes next can come after a text. */
function closes(text: string, after: number, is: 'key' | 'value'): boolean {
  const at = pastSpace(text, after)
  const code = text.charCodeAt(at)
  if (is === 'key' ? code === colon : ends.includes(code)) return true
  if (endsAt(text, at) || text.startsWith('//', at) || text.startsWith('/*', at)) return true
  return is === 'value' && isQuote(code) && text.slice(after, at).includes('\n')
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
