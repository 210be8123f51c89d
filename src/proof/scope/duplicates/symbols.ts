import type { CodeReader, Grammar, NodeSpan } from '../../files/code-reader.ts'
import { normalForm } from './normal-form.ts'

/** A function or a class that stands for itself: not inside of another one. */
export interface Piece {
  name: string
  line: number
  form: string[]
  key: string
}

const scripts = ['function_declaration', 'generator_function_declaration', 'class_declaration', 'variable_declarator']
const kinds: Record<Grammar, { wanted: string[]; around: string[] }> = {
  javascript: { wanted: scripts, around: ['arrow_function', 'function_expression'] },
  typescript: { wanted: [...scripts, 'abstract_class_declaration'], around: ['arrow_function', 'function_expression'] },
  tsx: { wanted: [...scripts, 'abstract_class_declaration'], around: ['arrow_function', 'function_expression'] },
  python: { wanted: ['function_definition', 'class_definition'], around: [] },
  go: { wanted: ['function_declaration'], around: [] },
  rust: { wanted: ['function_item'], around: ['impl_item', 'trait_item'] },
}

const fewestLines = 4
const fewestTokens = 25

/** Those of some size; null where the grammar could not be loaded. */
export function symbolsIn(code: CodeReader, grammar: Grammar, text: string): Piece[] | null {
  const { wanted, around } = kinds[grammar]
  const spans = code.nodes(grammar, text, [...wanted, ...around])
  if (spans === null) return null
  return outermost(spans, wanted).flatMap((span) => symbolOf(text, span, grammar) ?? [])
}

/** Spans come outer before inner. */
function outermost(spans: NodeSpan[], wanted: string[]): NodeSpan[] {
  const found: NodeSpan[] = []
  let end = -1
  for (const span of spans) {
    if (span.start < end) continue
    end = span.end
    if (wanted.includes(span.kind)) found.push(span)
  }
  return found
}

function symbolOf(text: string, { kind, start, end }: NodeSpan, grammar: Grammar): Piece | null {
  const own = text.slice(start, end)
  if (lines(own) < fewestLines) return null
  const name = (kind === 'variable_declarator' ? functionValue : declared).exec(own)?.[1]
  if (name === undefined) return null
  const form = normalForm(own, name, grammar)
  if (form.length < fewestTokens) return null
  return { name, line: text.slice(0, start).split('\n').length, form, key: form.join(' ') }
}

const declared = /\b(?:function\s*\*?|class|def|fn|func)\s+([\w$]+)/
const functionValue = /^([\w$]+)\s*(?::[^=]+)?=\s*(?:async\s+)?(?:function\b|\(|[\w$]+\s*=>)/

const lines = (text: string): number => text.split('\n').filter((line) => /[\w$]/.test(line)).length
