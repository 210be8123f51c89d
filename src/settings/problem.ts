import { type Document, isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml'
import type * as z from 'zod'
import { nearest } from '../std/nearest.ts'

/** What is wrong with a setting, told so that it can be mended without reading code. */
export interface Problem {
  /** `limits.agents`; empty for the whole file. */
  key: string
  /** As written, cut; empty when there is none. */
  value: string
  /** `file:line:column`, or the layer's name. */
  place: string
  message: string
  allowed: string
}

export const describeProblem = (problem: Problem): string =>
  `${problem.place}: ${problem.message}${problem.allowed === '' ? '' : ` (allowed: ${problem.allowed})`}`

/** Everything zod objects to, in our words. The schema's own error texts say what is allowed. */
export function schemaProblems(issues: readonly z.core.$ZodIssue[], source: Source): Problem[] {
  return issues.flatMap((issue) => issueProblems(issue, [], source))
}

type Key = string | number

function issueProblems(issue: z.core.$ZodIssue, above: Key[], source: Source): Problem[] {
  const path = [...above, ...(issue.path as Key[])]
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => unknownKey([...path, key], issue.message, source))
  if (issue.code === 'invalid_union') {
    const branch = meantBranch(issue.errors, valueAt(source.value, path))
    if (branch !== null) return branch.flatMap((inner) => issueProblems(inner, path, source))
  }
  return [problemAt(source, path, { message: 'does not fit', allowed: issue.message })]
}

/** Of the shapes a value may have, the one its writer was after. */
function meantBranch(errors: readonly z.core.$ZodIssue[][], value: unknown): z.core.$ZodIssue[] | null {
  if (value === null || typeof value !== 'object') return null
  return errors.find((issues) => issues.every((one) => one.path.length > 0 || one.code !== 'invalid_type')) ?? null
}

function unknownKey(path: Key[], allowed: string, source: Source): Problem {
  const candidates = allowed.replace(/^a mapping with the keys /, '').split(', ')
  const meant = nearest(String(path.at(-1)), candidates)
  const message = `unknown key "${path.at(-1)}"${meant === null ? '' : `, did you mean "${meant}"?`}`
  return { ...problemAt(source, path, { message, allowed: candidates.join(', ') }), message }
}

/** A problem with the value at a path of one source. */
export function problemAt(source: Source, path: Key[], what: { message: string; allowed: string }): Problem {
  const key = path.join('.')
  const value = show(valueAt(source.value, path))
  const subject = [key, value].filter((part) => part !== '').join(': ')
  return { key, value, place: source.placeOf(path), ...what, message: `${subject} ${what.message}`.trim() }
}

function valueAt(value: unknown, path: readonly Key[]): unknown {
  let at = value
  for (const key of path) {
    if (at === null || typeof at !== 'object' || !Object.hasOwn(at, key)) return undefined
    at = (at as Record<Key, unknown>)[key]
  }
  return at
}

function show(value: unknown): string {
  const text = value === undefined ? '' : (JSON.stringify(value) ?? String(value))
  return text.length > 120 ? `${text.slice(0, 120)}…` : text
}

/** A value and where each part of it was written. */
export interface Source {
  value: unknown
  placeOf(path: readonly (string | number)[]): string
}

/** A value that was never text, such as flags. */
export const plainSource = (value: unknown, place: string): Source => ({ value, placeOf: () => place })

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
