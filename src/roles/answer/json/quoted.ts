import { broken, cutOff, endsAt, pastSpace, type Reader } from './reader.ts'

const [double, single, backslash] = [34, 39, 92]

/** Straight, or one of ‘ ’ ‚ ‛ “ ” „ ‟. */
export const isQuote = (code: number): boolean =>
  code === double || code === single || (code >= 0x2018 && code <= 0x201f)

/** Text in quotes of any kind. A quote that nothing fitting follows belongs to the text: somebody forgot to escape it. */
export function quoted(reader: Reader, is: 'key' | 'value'): string | undefined {
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
