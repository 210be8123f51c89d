export type Piece =
  | { kind: 'open'; name: string; attributes: Record<string, string>; at: number; end: number }
  | { kind: 'close'; name: string; at: number; end: number }
  | { kind: 'text'; text: string }

/** The tags and texts of an XML document from a place on; it ends early where the document is broken. */
export function* readXml(text: string, from: number): Generator<Piece> {
  let at = from
  while (at < text.length) {
    const open = text.indexOf('<', at)
    if (open === -1) return
    if (open > at) yield { kind: 'text', text: unescaped(text.slice(at, open)) }
    const special = specials.find(([start]) => text.startsWith(start, open))
    const end = special === undefined ? endOfPiece(text, open) : text.indexOf(special[1], open)
    if (end === -1) return
    at = special === undefined ? end + 1 : end + special[1].length
    if (special === undefined) yield* piecesOf(text.slice(open + 1, end), open, at)
    else if (special[0] === cdata) yield { kind: 'text', text: text.slice(open + cdata.length, end) }
  }
}

const cdata = '<![CDATA['
const specials: [string, string][] = [
  ['<!--', '-->'],
  [cdata, ']]>'],
  ['<?', '?>'],
  ['<!', '>'],
]

/** A `>` may stand in an attribute. */
function endOfPiece(text: string, from: number): number {
  const token = /["'>]/g
  token.lastIndex = from
  for (let found = token.exec(text); found !== null; found = token.exec(text)) {
    if (found[0] === '>') return found.index
    const close = text.indexOf(found[0], found.index + 1)
    if (close === -1) return -1
    token.lastIndex = close + 1
  }
  return -1
}

function* piecesOf(inner: string, at: number, end: number): Generator<Piece> {
  const name = /^\/?([\w:.-]+)/.exec(inner)?.[1]
  if (name === undefined) return
  if (inner.startsWith('/')) return yield { kind: 'close', name, at, end }
  const attributes: Record<string, string> = {}
  // A name begins where none goes on: a tag may be one endless word.
  for (const found of inner.matchAll(/(?<![\w:.-])([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g))
    attributes[found[1]!] = unescaped(found[2] ?? found[3] ?? '')
  yield { kind: 'open', name, attributes, at, end }
  if (inner.endsWith('/')) yield { kind: 'close', name, at, end }
}

const names: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

const unescaped = (text: string): string =>
  text.replace(/&(#x[0-9a-f]{1,6}|#\d{1,7}|\w{2,4});/gi, (whole, name: string) => {
    if (!name.startsWith('#')) return names[name] ?? whole
    const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1))
    return code <= 0x10_ff_ff ? String.fromCodePoint(code) : whole
  })
