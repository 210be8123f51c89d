/** Where reading stands. Once `stop` is set nothing more is read. */
export interface Reader {
  text: string
  at: number
  /** `cut`: the text ends before the value does. `broken`: it goes on with something that does not belong there. */
  stop: { status: 'cut' } | { status: 'broken'; expected: string } | null
}

/** Past white space and comments. */
export function skipTrivia(reader: Reader): void {
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
export function endsAt(text: string, at: number): boolean {
  if (at >= text.length) return true
  const code = text.charCodeAt(at)
  return (code === backtick || code === tilde) && (text.startsWith('```', at) || text.startsWith('~~~', at))
}

export function cutOff(reader: Reader): undefined {
  reader.stop ??= { status: 'cut' }
}

export function broken(reader: Reader, expected: string): undefined {
  reader.stop ??= { status: 'broken', expected }
}

export function pastSpace(text: string, from: number): number {
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
