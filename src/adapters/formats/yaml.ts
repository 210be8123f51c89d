import {
  type Document,
  isAlias,
  isCollection,
  isMap,
  isPair,
  isScalar,
  isSeq,
  type Pair,
  parseAllDocuments,
  type Scalar,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml'
import { idOf, idOfMerged, type Merged, mergeStructures, type Node } from '../../proof/merging/structure.ts'
import {
  candidates,
  declined,
  type Format,
  merged,
  type Resolution,
  type Texts,
} from '../../proof/merging/three-way.ts'

export const yaml: Format = { merge: mergeYaml, parses }

/** The lines of both sides where they fit together, else ours with the parts of theirs put into its document. */
function mergeYaml(texts: Texts): Resolution {
  const { base, ours, theirs } = texts
  const [b, o, t] = [base === null ? null : read(base), read(ours), read(theirs)]
  if (o === null || t === null || (base !== null && b === null))
    return declined('one side is no single YAML document, or has aliases or tags of its own')
  const structure = mergeStructures({ base: b?.node ?? null, ours: o.node, theirs: t.node }, [])
  if (!structure.ok) return declined(structure.contradictions.slice(0, 5).join('; '))
  const wanted = idOfMerged(structure.merged)
  const says = (text: string): boolean => {
    const found = read(text)
    return found !== null && idOf(found.node) === wanted
  }
  const text = candidates(texts).find(says) ?? printed(ours, o.document, structure.merged)
  return text !== null && says(text) ? merged(text, 'structure') : declined('its layout would not survive')
}

function parses(text: string): boolean {
  const documents = parseAllDocuments(text, { prettyErrors: false })
  return !Array.isArray(documents) || documents.every(({ errors }) => errors.length === 0)
}

type YamlNode = Node<unknown>

function read(text: string): { document: Document; node: YamlNode } | null {
  const documents = parseAllDocuments(text, { prettyErrors: false })
  const document = Array.isArray(documents) ? documents[0] : undefined
  if (document === undefined || documents.length !== 1) return null
  if (document.errors.length > 0 || document.warnings.length > 0) return null
  const node = nodeOf(document.contents)
  return node === null ? null : { document: document as Document, node }
}

/** Null for what means something elsewhere in the document, and for names that are no plain text. */
function nodeOf(source: unknown): YamlNode | null {
  if (source === null) return { kind: 'scalar', id: 'null', source }
  if (isAlias(source) || (isCollection(source) && (source.tag ?? '').startsWith('!'))) return null
  if (isScalar(source)) return { kind: 'scalar', id: scalarId(source), source }
  if (isSeq(source)) {
    const items = source.items.map(nodeOf)
    return items.includes(null) ? null : { kind: 'list', items: items as YamlNode[], source }
  }
  if (!isMap(source)) return null
  const entries = source.items.map((pair) => {
    const value = nodeOf(pair.value)
    return value === null || !isScalar(pair.key) || pair.key.value === '<<'
      ? null
      : { key: String(pair.key.value), value }
  })
  return entries.includes(null) ? null : { kind: 'map', entries: entries as { key: string; value: YamlNode }[], source }
}

/** A number counts as it is written: readers of 3.1 and 3.10 may take them for names. */
const scalarId = ({ value, source }: Scalar): string =>
  value === null
    ? 'null'
    : typeof value === 'string'
      ? JSON.stringify(value)
      : `${typeof value} ${source ?? String(value)}`

/** Null when printing would change more than what was merged. */
function printed(ours: string, document: Document, structure: Merged<unknown>): string | null {
  const layout = layouts.find((options) => document.toString(options) === ours)
  if (layout === undefined) return null
  document.contents = put(structure) as typeof document.contents
  return document.toString(layout)
}

const layouts = [2, 4].flatMap((indent) =>
  [true, false].flatMap((indentSeq) =>
    [true, false].map((flowCollectionPadding) => ({ indent, indentSeq, flowCollectionPadding, lineWidth: 0 })),
  ),
)

function put(structure: Merged<unknown>): unknown {
  if (structure.kind === 'list') {
    const list = structure.ours.source as YAMLSeq
    list.items = structure.items.map(put)
    return list
  }
  if (structure.kind !== 'map') return structure.node.source
  const [map, other] = [structure.ours.source as YAMLMap, structure.theirs.source as YAMLMap]
  map.items = structure.entries.map(({ key, value }) => {
    const pair = (pairOf(map, key) ?? pairOf(other, key))!
    pair.value = put(value)
    return pair
  })
  return map
}

const pairOf = (map: YAMLMap, key: string): Pair | undefined =>
  map.items.find((pair): pair is Pair => isPair(pair) && isScalar(pair.key) && String(pair.key.value) === key)
