import { createReadStream } from 'node:fs'

const pieceChars = 1024 * 1024

/** A file in redacted pieces of about 1 MB, cut where a secret is least likely to be torn apart. */
export async function* redactedPieces(path: string, redact: (text: string) => string): AsyncGenerator<Buffer> {
  let held = ''
  for await (const chunk of createReadStream(path, { encoding: 'utf8', highWaterMark: 256 * 1024 })) {
    held += chunk
    if (held.length < pieceChars) continue
    const cut = cutIn(held)
    yield Buffer.from(redact(held.slice(0, cut)))
    held = held.slice(cut)
  }
  if (held !== '') yield Buffer.from(redact(held))
}

/** Before an unfinished key block, else after the last line, else (a line over 1 MB) after the last word. */
function cutIn(text: string): number {
  const lines = text.lastIndexOf('\n') + 1
  const key = text.lastIndexOf('-----BEGIN ', lines)
  if (key > text.length / 2 && text.indexOf('-----END ', key) === -1) return key
  if (lines > 0) return lines
  const word = Math.max(text.lastIndexOf(' '), text.lastIndexOf('"'), text.lastIndexOf(',')) + 1
  return word > text.length / 2 ? word : text.length
}
