import { type Document, isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml'
import type { Problem, Source } from '../problem.ts'

/** Reads YAML (and so JSON). A text that is not well-formed gives problems, never an exception. */
export function readYaml(
  text: string,
  place: string,
): { ok: true; source: Source } | { ok: false; problems: Problem[] } {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, merge: true })
  const at = (offset: number): string => {
    const { line, col } = lines.linePos(offset)
    return `${place}:${line}:${col}`
  }
  if (document.errors.length > 0)
    return { ok: false, problems: document.errors.map((error) => unreadable(at(error.pos[0]), error.message)) }
  const plain = plainValue(document)
  if ('problem' in plain) return { ok: false, problems: [unreadable(`${place}:1:1`, plain.problem)] }
  return { ok: true, source: { value: plain.value, placeOf: (path) => at(offsetOf(document, path)) } }
}

const unreadable = (place: string, message: string): Problem => ({
  key: '',
  value: '',
  place,
  message: `not well-formed YAML: ${message}`,
  allowed: '',
})

/** The library throws when aliases would unfold into something huge; that is the file's fault, not ours. */
function plainValue(document: Document): { value: unknown } | { problem: string } {
  try {
    return { value: document.toJS({ maxAliasCount: 100 }) }
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) }
  }
}

/** Of the deepest part of the path that is there, so that a missing key points at its parent. */
function offsetOf(document: Document, path: readonly (string | number)[]): number {
  let node: unknown = document.contents
  let offset = rangeStart(node) ?? 0
  for (const key of path) {
    if (isAlias(node)) node = node.resolve(document)
    if (isMap(node)) {
      const pair = node.items.find((item) => isScalar(item.key) && String(item.key.value) === String(key))
      if (pair === undefined) return offset
      offset = rangeStart(pair.key) ?? offset
      node = pair.value
    } else if (isSeq(node)) {
      node = node.items[Number(key)]
      offset = rangeStart(node) ?? offset
    } else return offset
  }
  return offset
}

const rangeStart = (node: unknown): number | null => (node as Node | null | undefined)?.range?.[0] ?? null

/** Every text that a settings file has as a value; none when it is not well-formed. */
export function textsIn(file: string): string[] {
  const read = readYaml(file, 'ropewalk.yaml')
  return read.ok ? textsOf(read.source.value) : []
}

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap(textsOf) : []
}
