import type { Merged } from '../structure/merge.ts'
import type { JsonNode, Piece, Place } from './parse.ts'

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
function itemOf({ ours, theirs }: Container, value: Merged<Place>): Part {
  const { text, start } = ('node' in value ? value.node : value.ours).source
  const isOurs = text === ours.source.text
  return partOf({ container: isOurs ? ours : theirs, isOurs, value, is: ({ valueStart }) => valueStart === start })
}

interface Container {
  kind: 'map' | 'list'
  ours: JsonNode
  theirs: JsonNode
}

interface Part {
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

function partOf({ container, isOurs, value, is }: Wanted): Part {
  const { text, pieces } = container.source
  const piece = pieces.find(is)!
  const whole = text.slice(piece.start, piece.valueStart) + printJson(value) + text.slice(piece.valueEnd, piece.end)
  return { piece, isOurs, text: whole }
}

function layOut({ kind, ours, theirs }: Container, parts: Part[]): string {
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
