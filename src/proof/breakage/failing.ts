import { type CodeReader, type Grammar, grammarOf, type NodeSpan } from '../files/code-reader.ts'
import { productPart } from './edit.ts'

interface Way {
  functions: string[]
  body: string
  /** What is put before the first statement of a body. */
  by: string
  /** Called before any test is, or by the compiler. */
  not?: RegExp
}

const script: Way = {
  functions: [
    ...['function_declaration', 'function_expression', 'generator_function_declaration', 'generator_function'],
    ...['method_definition', 'arrow_function'],
  ],
  body: 'statement_block',
  by: " throw new Error('broken');",
}

const ways: Record<Grammar, Way> = {
  javascript: script,
  typescript: script,
  tsx: script,
  python: { functions: ['function_definition'], body: 'block', by: 'raise RuntimeError("broken")' },
  go: {
    functions: ['function_declaration', 'method_declaration'],
    body: 'block',
    by: ' panic("broken");',
    not: /^func\s+(?:init|main)\s*\(/,
  },
  rust: {
    functions: ['function_item'],
    body: 'block',
    by: ' unimplemented!();',
    not: /^[^({]*\b(?:const|fn\s+main)\b/,
  },
}

/** The text with every function failing as soon as it is called; null: it has none that anybody could tell. */
export function withFailingFunctions(path: string, text: string, code: CodeReader): string | null {
  const grammar = grammarOf(path)
  if (grammar === null) return null
  const way = ways[grammar]
  const end = productPart(path, text).length
  const blocks = code.nodes(grammar, text, [way.body]) ?? []
  const all = (code.nodes(grammar, text, way.functions) ?? []).filter(
    (one) => one.end <= end && way.not?.test(text.slice(one.start, one.end)) !== true,
  )
  let [made, at] = ['', 0]
  for (const one of all) {
    if (one.start < at) continue
    const failing = failingBody({ text, one, way, blocks })
    if (failing === null) continue
    made += text.slice(at, failing.start) + failing.by + text.slice(failing.until, one.end)
    at = one.end
  }
  return at === 0 ? null : made + text.slice(at)
}

interface Given {
  text: string
  one: NodeSpan
  way: Way
  blocks: NodeSpan[]
}

function failingBody({ text, one, way, blocks }: Given): { start: number; until: number; by: string } | null {
  const body = blocks.find((block) => block.start > one.start && block.end === one.end)
  if (way.body === 'statement_block' && body === undefined) {
    // An arrow that gives a value at once. What is called there is reached by nobody then, either.
    const sign = text.indexOf('=>', one.start)
    return sign === -1 || sign >= one.end ? null : { start: sign + 2, until: one.end, by: ` {${way.by} }` }
  }
  if (body === undefined) return null
  if (text[body.start] === '{') return { start: body.start + 1, until: body.start + 1, by: way.by }
  const indent = /[^\n]*$/.exec(text.slice(0, body.start))![0]
  const next = /^\s*$/.test(indent) ? `\n${indent}` : '; '
  return { start: body.start, until: body.start, by: `${way.by}${next}` }
}
