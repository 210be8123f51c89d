import { parseJson } from '../../std/json.ts'
import { type Merged, mergeByStructure, type Node } from './structure.ts'
import {
  type Formats,
  isList,
  mergeUnion,
  mergeWhitespace,
  type Resolution,
  type Texts,
  withoutLineEndings,
} from './three-way.ts'

/** A file that both sides changed, by the rules for its kind. `union`: its .gitattributes ask to keep all lines. */
export function mergeFile(texts: Texts, { union, formats }: { union: boolean; formats: Formats }): Resolution {
  return withoutLineEndings(texts, (plain, endingsDiffered) => {
    if (union) return mergeUnion(plain, true)
    return byKind(plain, formats) ?? mergeWhitespace(plain, endingsDiffered)
  })
}

/** Whether a text is what its name says; true also where its name says nothing. */
export function isWellFormed(path: string, text: string, formats: Formats): boolean {
  if (isJson.test(path)) return readJsonTree(text.replace(/^\ufeff/, '')) !== null
  if (isYaml.test(path)) return formats.yaml.parses(text)
  return isToml.test(path) ? formats.toml.parses(text) : true
}

function byKind(texts: Texts, formats: Formats): Resolution | null {
  const { path } = texts
  if (isList(path)) return mergeUnion(texts, false)
  if (isJson.test(path)) return mergeJson(texts)
  if (isYaml.test(path)) return formats.yaml.merge(texts)
  if (isToml.test(path)) return formats.toml.merge(texts)
  if (!either.test(path)) return null
  const result = mergeJson(texts)
  return result.status === 'merged' ? result : formats.yaml.merge(texts)
}

const isJson = /\.(?:json|jsonc|json5|webmanifest|code-workspace|swcrc)$|(?:^|\/)composer\.lock$/i
const isToml = /\.toml$|(?:^|\/)(?:Cargo|poetry|uv)\.lock$/i
const isYaml = /\.ya?ml$/i
/** Written as JSON by some and as YAML by others. */
const either = /(?:^|\/)\.(?:babelrc|eslintrc|prettierrc|stylelintrc|lintstagedrc|nycrc|mocharc)$/

/** In these maps of a package.json the first name that fits counts. */
const ordered = ['exports', 'imports']

/** Ours with what theirs has changed, name by name; comments and layout stay. */
export const mergeJson = (texts: Texts): Resolution =>
  mergeByStructure(texts, {
    read: readJsonTree,
    written: (structure, { ours }) => {
      const { start, end } = readJsonTree(ours)!.source
      return [ours.slice(0, start) + printJson(structure) + ours.slice(end)]
    },
    ordered: /(?:^|\/)package\.json$/.test(texts.path) ? ordered : [],
    unread: 'one side is not well-formed JSON, or has a name twice',
    unwritten: 'its layout leaves no safe place for both changes',
  })

/** Where a value is in its text; of a map or list also how its parts are laid out. */
interface Place {
  text: string
  start: number
  end: number
  pieces: Piece[]
  /** What stands before the closing bracket. */
  tail: string
  trailingComma: boolean
}

/** One member or item: `lead` before it, `trail` a comment behind it on the same line. */
interface Piece {
  key: string | null
  lead: string
  start: number
  valueStart: number
  valueEnd: number
  end: number
  trail: string
}

type JsonNode = Node<Place>

/** JSON with comments and trailing commas; null when it is something else, or has a name twice. */
export function readJsonTree(text: string): JsonNode | null {
  const reader = new Reader(text)
  reader.blank()
  const node = reader.value(0)
  reader.blank()
  return reader.at === text.length ? node : null
}

const deepest = 200

const literal = /-?\d[\d.eE+-]*|true|false|null/y
const comments = /(?:\s+|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/y
const sameLine = /[ \t]*(?:\/\/[^\n]*|\/\*(?:(?!\*\/)[^\n])*\*\/(?=[ \t]*\n))/y

class Reader {
  at = 0
  private readonly text: string

  constructor(text: string) {
    this.text = text
  }

  /** Past blanks and comments, which it returns. */
  blank(): string {
    return this.take(comments) ?? ''
  }

  value(depth: number): JsonNode | null {
    if (depth > deepest) return null
    const start = this.at
    if (this.take(/[{[]/y) !== null) return this.container(start, depth)
    const said = this.scalar()
    if (said === undefined) return null
    const layout = { pieces: [], tail: '', trailingComma: false }
    return { kind: 'scalar', id: JSON.stringify(said), source: { text: this.text, start, end: this.at, ...layout } }
  }

  private take(pattern: RegExp): string | null {
    pattern.lastIndex = this.at
    const found = pattern.exec(this.text)?.[0] ?? null
    this.at += found?.length ?? 0
    return found
  }

  private container(start: number, depth: number): JsonNode | null {
    const isMap = this.text[start] === '{'
    const close = isMap ? /\}/y : /\]/y
    const parts: Part[] = []
    for (let isLast = false; ; ) {
      const blank = this.blank()
      if (this.take(close) !== null) {
        const trailingComma = parts.length > 0 && !isLast
        const pieces = parts.map(({ piece }) => piece)
        return nodeOf(parts, isMap, { text: this.text, start, end: this.at, pieces, tail: blank, trailingComma })
      }
      const part: Part | null = isLast ? null : this.part(blank, { isMap, depth })
      if (part === null) return null
      parts.push(part)
      isLast = !part.comma
    }
  }

  private part(lead: string, { isMap, depth }: { isMap: boolean; depth: number }): Part | null {
    const start = this.at
    const key = isMap ? this.key() : null
    const valueStart = this.at
    const node = isMap && key === null ? null : this.value(depth + 1)
    if (node === null) return null
    const valueEnd = this.at
    const between = this.blank()
    const comma = this.take(/,/y) !== null
    if (!comma) this.at = valueEnd
    const end = comma ? valueEnd + between.trimEnd().length : valueEnd
    return { comma, node, piece: { key, lead, start, valueStart, valueEnd, end, trail: this.take(sameLine) ?? '' } }
  }

  private key(): string | null {
    const raw = this.quoted()
    this.blank()
    const name = raw === null || this.take(/:/y) === null ? null : parseJson(raw)
    this.blank()
    return typeof name === 'string' ? name : null
  }

  /** A number is compared as it is written, so that none loses its digits; undefined: it is none of these. */
  private scalar(): unknown {
    const raw = this.quoted() ?? this.take(literal) ?? ''
    if (/^-?\d/.test(raw))
      return /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(raw) ? { number: raw } : undefined
    return raw === 'null' ? null : (parseJson(raw) ?? undefined)
  }

  /** By hand: a pattern would need a step of the stack for each letter. */
  private quoted(): string | null {
    const { text, at } = this
    if (text[at] !== '"') return null
    for (let end = at + 1; end < text.length && text.charCodeAt(end) >= 32; end++) {
      if (text[end] === '\\') end++
      else if (text[end] === '"') {
        this.at = end + 1
        return text.slice(at, end + 1)
      }
    }
    return null
  }
}

interface Part {
  piece: Piece
  node: JsonNode
  comma: boolean
}

function nodeOf(parts: Part[], isMap: boolean, source: Place): JsonNode | null {
  if (!isMap) return { kind: 'list', items: parts.map(({ node }) => node), source }
  const entries = parts.map(({ piece, node }) => ({ key: piece.key!, value: node }))
  return new Set(entries.map(({ key }) => key)).size === entries.length ? { kind: 'map', entries, source } : null
}

interface Printed {
  piece: Piece
  isOurs: boolean
  text: string
}

/** The text of a merged value: ours as it stands there, with the parts that come from theirs. */
function printJson(merged: Merged<Place>): string {
  if ('node' in merged) return merged.node.source.text.slice(merged.node.source.start, merged.node.source.end)
  const { ours, theirs } = merged
  const values = merged.kind === 'map' ? merged.entries : merged.items.map((value) => ({ key: null, value }))
  const parts = values.map(({ key, value }): Printed => {
    // An item stands where the value it came from stands.
    const own = ('node' in value ? value.node : value.ours).source
    const isOurs = key === null ? own.text === ours.source.text : ours.source.pieces.some((piece) => piece.key === key)
    const { text, pieces } = (isOurs ? ours : theirs).source
    const piece = pieces.find((one) => (key === null ? one.valueStart === own.start : one.key === key))!
    const whole = text.slice(piece.start, piece.valueStart) + printJson(value) + text.slice(piece.valueEnd, piece.end)
    return { piece, isOurs, text: whole }
  })
  return layOut(merged, parts)
}

function layOut({ kind, ours, theirs }: Exclude<Merged<Place>, { node: JsonNode }>, parts: Printed[]): string {
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
    open +
    texts.reduce(joinedParts, '') +
    (endsInComment(texts.at(-1)) && !tail.includes('\n') ? '\n' : '') +
    tail +
    close
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

const joinedParts = (before: string, text: string): string =>
  before + (endsInComment(before) && !/^\s*\n/.test(text) ? '\n' : '') + text

const endsInComment = (text: string | undefined): boolean => /\/\/[^\n]*$/.test(text ?? '')
