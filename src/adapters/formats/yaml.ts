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
import { type Merged, mergeByStructure, type Node } from '../../proof/merging/structure.ts'
import { candidates, type Format, type Texts } from '../../proof/merging/three-way.ts'

export const yaml: Format = {
  /** The lines of both sides where they fit together, else ours with the parts of theirs put into its document. */
  merge: (texts) =>
    mergeByStructure(texts, {
      read,
      written,
      ordered: [],
      unread: 'one side is no single YAML document, or has aliases or tags of its own',
      unwritten: 'its layout would not survive',
    }),
  parses,
}

function* written(structure: Merged<unknown>, texts: Texts): Iterable<string> {
  yield* candidates(texts)
  const text = printed(texts.ours, structure)
  if (text !== null) yield text
}

function parses(text: string): boolean {
  const documents = parseAllDocuments(text, { prettyErrors: false })
  return !Array.isArray(documents) || documents.every(({ errors }) => errors.length === 0)
}

type YamlNode = Node<unknown>

function read(text: string): YamlNode | null {
  const document = documentIn(text)
  return document === null ? null : nodeOf(document.contents)
}

/** Null where there are several, or something is wrong with it. */
function documentIn(text: string): Document | null {
  const documents = parseAllDocuments(text, { prettyErrors: false })
  const document = Array.isArray(documents) ? documents[0] : undefined
  if (document === undefined || documents.length !== 1) return null
  return document.errors.length + document.warnings.length > 0 ? null : (document as Document)
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
function printed(ours: string, structure: Merged<unknown>): string | null {
  const document = documentIn(ours)!
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
