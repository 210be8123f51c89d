import { type CodeReader, grammarOf, languageOf } from '../files/test-file.ts'
import { structuralEdits } from './by-structure.ts'
import { type Edit, mask, productPart } from './edit.ts'
import { tokenEdits } from './tokens.ts'

/** Small damage to one file of the product, which a test of it should notice. */
export interface Breakage {
  file: string
  /** Of the file as it is, from 1. */
  line: number
  what: string
  /** The whole file with the damage. */
  text: string
  side?: Edit['side']
}

export interface BreakageQuery {
  /** Lines that may be broken, from 1; null: all. */
  lines: ReadonlySet<number> | null
  /** Null: by lines alone. */
  code: CodeReader | null
  most: number
  /** Whether each side of a choice, or each edge between them, is broken for itself. */
  sides?: readonly Edit['side'][]
}

const longestText = 400_000

/** Those that change a value first, since only an assertion notices them; of each line one before others have two. */
export function breakagesIn(
  path: string,
  text: string,
  { lines, code, most, sides = [undefined] }: BreakageQuery,
): Breakage[] {
  if (text.length > longestText) return []
  const starts = lineStarts(text)
  const wanted = (edit: Edit): boolean => {
    if (!sides.includes(edit.side)) return false
    const line = lineAt(starts, edit.start)
    return (lines === null || lines.has(line)) && !isLoop(text.slice(starts[line - 1]!, starts[line] ?? text.length))
  }
  const edits = [...tokenEdits(productPart(path, text), maskOf(path, text, code)), ...structuralEdits(path, text, code)]
  const found: Breakage[] = []
  for (const edit of inTurns(edits.filter(wanted), (one) => `${lineAt(starts, one.start)} ${one.side ?? ''}`)) {
    if (found.length >= most) break
    const broken = text.slice(0, edit.start) + edit.by + text.slice(edit.end)
    if (broken !== text && isAsValid(path, { text, broken }, code))
      found.push({ file: path, line: lineAt(starts, edit.start), what: edit.what, text: broken, side: edit.side })
  }
  return found
}

/** A loop that does not end only costs time. */
const isLoop = (line: string): boolean => /^\s*(?:\}?\s*)?(?:for|while|loop|do)\b/.test(line)

const opaque: Record<string, string[]> = {
  javascript: ['comment', 'string', 'template_string', 'regex', 'import_statement', 'jsx_text'],
  typescript: [
    ...['comment', 'string', 'template_string', 'regex', 'import_statement', 'type_annotation', 'type_arguments'],
    ...['type_parameters', 'type_alias_declaration', 'interface_declaration', 'export_specifier'],
  ],
  python: ['comment', 'string', 'import_statement', 'import_from_statement', 'type'],
  go: [
    ...['comment', 'interpreted_string_literal', 'raw_string_literal', 'rune_literal', 'import_declaration'],
    ...['pointer_type', 'unary_expression', 'type_declaration', 'channel_type', 'parameter_list'],
  ],
  rust: [
    ...['line_comment', 'block_comment', 'string_literal', 'raw_string_literal', 'char_literal', 'attribute_item'],
    ...['type_arguments', 'type_parameters', 'use_declaration', 'reference_type', 'lifetime', 'where_clause'],
    ...['unary_expression', 'parameters', 'trait_bounds', 'generic_type'],
  ],
}

/** The text with all blanked that is no expression. */
function maskOf(path: string, text: string, code: CodeReader | null): string {
  const grammar = grammarOf(path)
  const kinds = opaque[grammar === 'tsx' ? 'typescript' : (grammar ?? '')]
  const spans = grammar === null || kinds === undefined ? null : (code?.nodes(grammar, text, kinds) ?? null)
  if (spans === null) return mask(text, languageOf(path))
  let masked = ''
  let at = 0
  for (const { start, end } of spans) {
    if (start < at) continue
    masked += text.slice(at, start) + text.slice(start, end).replace(/[^\n]/g, ' ')
    at = end
  }
  return masked + text.slice(at)
}

/** As far as the grammar tells; a compiler may still say no. */
function isAsValid(path: string, { text, broken }: { text: string; broken: string }, code: CodeReader | null): boolean {
  const grammar = grammarOf(path)
  if (grammar === null || code === null) return true
  const errors = (one: string): number => code.nodes(grammar, one, ['ERROR'])?.length ?? 0
  return errors(broken) <= errors(text)
}

/** The best of each line, then the second best of each; among equals from all over, and not from its beginning. */
function inTurns(edits: readonly Edit[], lineOf: (edit: Edit) => string): Edit[] {
  const byLine = new Map<string, Edit[]>()
  for (const edit of [...edits].sort((a, b) => a.rank - b.rank || a.start - b.start)) {
    const line = lineOf(edit)
    byLine.set(line, [...(byLine.get(line) ?? []), edit])
  }
  const ranked = [...byLine.values()].flatMap((own) => own.map((edit, turn) => ({ edit, turn })))
  ranked.sort((a, b) => a.turn - b.turn || a.edit.rank - b.edit.rank || a.edit.start - b.edit.start)
  const equals = new Map<string, Edit[]>()
  for (const { edit, turn } of ranked) {
    const key = `${turn} ${edit.rank}`
    equals.set(key, [...(equals.get(key) ?? []), edit])
  }
  return [...equals.values()].flatMap(spread)
}

/** The first, then the one in the middle, then those in the middle of what is between, and so on. */
function spread<T>(all: T[]): T[] {
  const bits = (all.length - 1).toString(2).length
  const turned = (at: number): number =>
    Number.parseInt([...at.toString(2).padStart(bits, '0')].toReversed().join(''), 2)
  return all
    .map((one, at) => ({ one, at: turned(at) }))
    .sort((a, b) => a.at - b.at)
    .map(({ one }) => one)
}

function lineStarts(text: string): number[] {
  const starts = [0]
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}

function lineAt(starts: readonly number[], place: number): number {
  let [low, high] = [0, starts.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (starts[middle]! <= place) low = middle + 1
    else high = middle
  }
  return low
}

/** A breakage of a text, made in a later version of it; null where the lines that it is about are not there as they were. */
export function carried(texts: { before: string; broken: string; after: string }): string | null {
  const { before, broken, after } = texts
  if (before === after) return broken
  const [old, made] = [before.split('\n'), broken.split('\n')]
  let head = 0
  while (head < old.length && head < made.length && old[head] === made[head]) head++
  let tail = 0
  while (tail < Math.min(old.length, made.length) - head && old.at(-1 - tail) === made.at(-1 - tail)) tail++
  const block = old.slice(head, old.length - tail)
  const now = after.split('\n')
  const places =
    block.length === 0 ? [] : now.flatMap((_, at) => (block.every((line, by) => now[at + by] === line) ? [at] : []))
  if (places.length !== 1) return null
  const [at] = places as [number]
  return [...now.slice(0, at), ...made.slice(head, made.length - tail), ...now.slice(at + block.length)].join('\n')
}

/** Lines of a text, from 1, that are in a later version as well, once in each. */
export function keptLines(before: string, after: string): Set<number> {
  const [then, now] = [countsOf(before), countsOf(after)]
  const kept = new Set<number>()
  for (const [index, line] of before.split('\n').entries())
    if (line.trim() !== '' && then.get(line) === 1 && now.get(line) === 1) kept.add(index + 1)
  return kept
}

function countsOf(text: string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const line of text.split('\n')) counts.set(line, (counts.get(line) ?? 0) + 1)
  return counts
}
