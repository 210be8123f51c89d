import { declined, merged, type Resolution, type Texts } from './resolution.ts'
import { idOf, idOfMerged, type Merged, mergeStructures, type Node } from './structure.ts'

/** In these maps of a package.json the first name that fits counts. */
const ordered = ['exports', 'imports']

/** Ours with what theirs has changed, name by name; comments and layout stay. */
export function mergeJson({ path, base, ours, theirs }: Texts): Resolution {
  const [b, o, t] = [base === null ? null : readJsonTree(base), readJsonTree(ours), readJsonTree(theirs)]
  if (o === null || t === null || (base !== null && b === null))
    return declined('one side is not well-formed JSON, or has a name twice')
  const isPackage = /(?:^|\/)package\.json$/.test(path)
  const structure = mergeStructures({ base: b, ours: o, theirs: t }, isPackage ? ordered : [])
  if (!structure.ok) return declined(structure.contradictions.slice(0, 5).join('; '))
  const head = ours.slice(0, o.source.start)
  const text = head + printJson(structure.merged) + ours.slice(o.source.end)
  const again = readJsonTree(text)
  if (again === null || idOf(again) !== idOfMerged(structure.merged))
    return declined('its layout leaves no safe place for both changes')
  return merged(text, 'structure')
}

/** Where a value is in its text; of a map or list also how its parts are laid out. */
export interface Place {
  text: string
  start: number
  end: number
  pieces: Piece[]
  /** What stands before the closing bracket. */
  tail: string
  trailingComma: boolean
}

/** One member or item: `lead` before it, `trail` a comment behind it on the same line. */
export interface Piece {
  key: string | null
  lead: string
  start: number
  valueStart: number
  valueEnd: number
  end: number
  trail: string
}

export type JsonNode = Node<Place>

/** JSON with comments and trailing commas; null when it is something else, or has a name twice. */
export function readJsonTree(text: string): JsonNode | null {
  const reader = { text, at: 0 }
  skipTrivia(reader)
  const node = value(reader, 0)
  skipTrivia(reader)
  return reader.at === text.length ? node : null
}

interface Reader {
  text: string
  at: number
}

const deepest = 200

function value(reader: Reader, depth: number): JsonNode | null {
  if (depth > deepest) return null
  const open = reader.text[reader.at]
  if (open === '{' || open === '[') return container(reader, { depth, isMap: open === '{' })
  const start = reader.at
  const raw = open === '"' ? quoted(reader) : take(reader, literal)
  const parsed = raw === null ? undefined : scalar(raw)
  if (parsed === undefined) return null
  return { kind: 'scalar', id: JSON.stringify(parsed), source: placeOf(reader, start) }
}

/** By hand: a pattern would need a step of the stack for each letter. */
function quoted(reader: Reader): string | null {
  const { text, at } = reader
  if (text[at] !== '"') return null
  for (let end = at + 1; end < text.length && text.charCodeAt(end) >= 32; end++) {
    if (text[end] === '\\') end++
    else if (text[end] === '"') {
      reader.at = end + 1
      return text.slice(at, end + 1)
    }
  }
  return null
}

const literal = /-?\d[\d.eE+-]*|true|false|null/y

/** A number is compared as it is written, so that none loses its digits. */
function scalar(raw: string): unknown {
  if (/^-?\d/.test(raw)) return /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(raw) ? { number: raw } : undefined
  try {
    return JSON.parse(raw) as unknown
  } catch {
    return undefined
  }
}

const placeOf = ({ text, at }: Reader, start: number): Place => ({
  text,
  start,
  end: at,
  pieces: [],
  tail: '',
  trailingComma: false,
})

function container(reader: Reader, { depth, isMap }: { depth: number; isMap: boolean }): JsonNode | null {
  const start = reader.at++
  const parts: { piece: Piece; node: JsonNode }[] = []
  const close = isMap ? '}' : ']'
  for (let comma = true; ; ) {
    const lead = skipTrivia(reader)
    if (reader.text[reader.at] === close) {
      reader.at++
      const tail = comma || parts.length === 0 ? lead : ''
      return finished(reader, { start, parts, isMap, tail: tail, trailingComma: comma && parts.length > 0 })
    }
    if (!comma) return null
    const part = member(reader, { depth, isMap, lead })
    if (part === null) return null
    parts.push(part)
    comma = part.comma
    if (!comma) {
      const end = part.tail + close
      if (!reader.text.startsWith(end, reader.at)) return null
      reader.at += end.length
      return finished(reader, { start, parts, isMap, tail: part.tail, trailingComma: false })
    }
  }
}

function finished(
  reader: Reader,
  made: {
    start: number
    parts: { piece: Piece; node: JsonNode }[]
    isMap: boolean
    tail: string
    trailingComma: boolean
  },
): JsonNode | null {
  const { parts, tail, trailingComma } = made
  const pieces = parts.map(({ piece }) => piece)
  const source = { ...placeOf(reader, made.start), pieces, tail, trailingComma }
  if (!made.isMap) return { kind: 'list', items: parts.map(({ node }) => node), source }
  const entries = parts.map(({ piece, node }) => ({ key: piece.key!, value: node }))
  return new Set(entries.map(({ key }) => key)).size === entries.length ? { kind: 'map', entries, source } : null
}

interface Part {
  piece: Piece
  node: JsonNode
  comma: boolean
  tail: string
}

function member(reader: Reader, { depth, isMap, lead }: { depth: number; isMap: boolean; lead: string }): Part | null {
  const start = reader.at
  const key = isMap ? memberName(reader) : null
  if (isMap && key === null) return null
  const valueStart = reader.at
  const node = value(reader, depth + 1)
  if (node === null) return null
  const valueEnd = reader.at
  const between = skipTrivia(reader)
  const comma = reader.text[reader.at] === ','
  const piece = { key, lead, start, valueStart, valueEnd, end: valueEnd, trail: '' }
  if (comma) {
    reader.at++
    piece.end = valueEnd + between.trimEnd().length
    piece.trail = take(reader, sameLine) ?? ''
    return { piece, node, comma, tail: '' }
  }
  reader.at = valueEnd
  piece.trail = take(reader, sameLine) ?? ''
  return { piece, node, comma, tail: between.slice(piece.trail.length) }
}

const sameLine = /[ \t]*(?:\/\/[^\n]*|\/\*[^\n]*?\*\/(?=[ \t]*\n))/y

function memberName(reader: Reader): string | null {
  const raw = quoted(reader)
  skipTrivia(reader)
  if (raw === null || reader.text[reader.at] !== ':') return null
  reader.at++
  skipTrivia(reader)
  const name = scalar(raw)
  return typeof name === 'string' ? name : null
}

const skipTrivia = (reader: Reader): string => take(reader, trivia) ?? ''
const trivia = /(?:\s+|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/y

function take(reader: Reader, pattern: RegExp): string | null {
  pattern.lastIndex = reader.at
  const found = pattern.exec(reader.text)
  if (found === null) return null
  reader.at = pattern.lastIndex
  return found[0]
}

/** The text of a merged value: ours as it stands there, with the parts that come from theirs. */
export function printJson(merged: Merged<Place>): string {
  if (merged.kind === 'map') {
    const { ours, theirs } = merged
    const parts = merged.entries.map(({ key, value }) => {
      const isOurs = ours.source.pieces.some((piece) => piece.key === key)
      const container = isOurs ? ours : theirs
      return partOf({ container, isOurs, value, is: (piece) => piece.key === key })
    })
    return layOut(merged, parts)
  }
  if (merged.kind === 'list')
    return layOut(
      merged,
      merged.items.map((value) => itemOf(merged, value)),
    )
  const { source } = merged.node
  return source.text.slice(source.start, source.end)
}

/** An item stands where the value it came from stands. */
function itemOf({ ours, theirs }: Container, value: Merged<Place>): Printed {
  const { text, start } = ('node' in value ? value.node : value.ours).source
  const isOurs = text === ours.source.text
  return partOf({ container: isOurs ? ours : theirs, isOurs, value, is: ({ valueStart }) => valueStart === start })
}

interface Container {
  kind: 'map' | 'list'
  ours: JsonNode
  theirs: JsonNode
}

interface Printed {
  piece: Piece
  isOurs: boolean
  text: string
}

interface Wanted {
  container: JsonNode
  isOurs: boolean
  value: Merged<Place>
  is: (piece: Piece) => boolean
}

function partOf({ container, isOurs, value, is }: Wanted): Printed {
  const { text, pieces } = container.source
  const piece = pieces.find(is)!
  const whole = text.slice(piece.start, piece.valueStart) + printJson(value) + text.slice(piece.valueEnd, piece.end)
  return { piece, isOurs, text: whole }
}

function layOut({ kind, ours, theirs }: Container, parts: Printed[]): string {
  const own = ours.source.pieces
  const layout = own.length === 0 ? theirs.source : ours.source
  const isFlat = !layout.pieces.some(({ lead }) => lead.includes('\n'))
  const indents = { ours: indentOf(ours.source), theirs: indentOf(theirs.source) }
  const texts = parts.map(({ piece, isOurs, text }, index) => {
    const lead = isFlat ? flatLead(layout, index) : isOurs ? piece.lead : broken(piece.lead, indents)
    const comma = index < parts.length - 1 || ours.source.trailingComma ? ',' : ''
    return lead + (isOurs ? text : shifted(text, indents)) + comma + piece.trail
  })
  const [open, close] = kind === 'map' ? ['{', '}'] : ['[', ']']
  const tail = parts.length === 0 ? '' : layout.tail
  return (
    open + texts.reduce(joined, '') + (endsInComment(texts.at(-1)) && !tail.includes('\n') ? '\n' : '') + tail + close
  )
}

const flatLead = ({ pieces }: Place, index: number): string =>
  index === 0 ? (pieces[0]?.lead ?? '') : (pieces[1]?.lead ?? ' ')

/** What comes on a line of its own in ours does so for what is taken from theirs. */
const broken = (lead: string, indents: Indents): string =>
  lead.includes('\n') ? shifted(lead, indents) : `\n${indents.ours}`

interface Indents {
  ours: string
  theirs: string
}

const indentOf = ({ pieces }: Place): string =>
  /\n([ \t]*)$/.exec(pieces.find(({ lead }) => lead.includes('\n'))?.lead ?? '')?.[1] ?? ''

const shifted = (text: string, { ours, theirs }: Indents): string =>
  ours === theirs || ours === '' ? text : text.replaceAll(`\n${theirs}`, `\n${ours}`)

const joined = (before: string, text: string): string =>
  before + (endsInComment(before) && !/^\s*\n/.test(text) ? '\n' : '') + text

const endsInComment = (text: string | undefined): boolean => /\/\/[^\n]*$/.test(text ?? '')
