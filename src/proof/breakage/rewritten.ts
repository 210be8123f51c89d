import { type AddedLine, addedLines, type Change, isFixture } from '../files/change.ts'
import { type CodeReader, type Grammar, grammarOf, languageOf, type NodeSpan } from '../files/test-file.ts'
import { mask, productPart } from './edit.ts'
import { isProductCode } from './spots.ts'

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

/**
 * The text with every function failing as soon as it is called, or with the innermost ones around these lines; null: it
 * has none that anybody could tell.
 */
export function withFailingFunctions(
  path: string,
  text: string,
  { code, lines = null }: { code: CodeReader; lines?: ReadonlySet<number> | null },
): string | null {
  const grammar = grammarOf(path)
  if (grammar === null) return null
  const way = ways[grammar]
  const end = productPart(path, text).length
  const blocks = code.nodes(grammar, text, [way.body]) ?? []
  const there = (code.nodes(grammar, text, way.functions) ?? []).filter(
    (one) => one.end <= end && way.not?.test(text.slice(one.start, one.end)) !== true,
  )
  const all = lines === null ? there : innermost(text, there, lines)
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

function innermost(text: string, functions: NodeSpan[], lines: ReadonlySet<number>): NodeSpan[] {
  const found = new Set<NodeSpan>()
  let at = 0
  for (const [index, line] of text.split('\n').entries()) {
    const begin = at + line.search(/\S|$/)
    const around = lines.has(index + 1) ? functions.filter(({ start, end }) => start <= begin && begin < end) : []
    if (around.length > 0) found.add(around.reduce((a, b) => (b.start > a.start ? b : a)))
    at += line.length + 1
  }
  return functions.filter((one) => found.has(one))
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

/** The same code with more room between its words: whoever notices looks at how it is written, not at what it does. */
export function withMoreRoom(path: string, text: string): string {
  // Where words between tags, or in an expression between slashes, are part of what is done.
  if (/\.(?:[jt]sx|vue|svelte)$/.test(path)) return text
  const masked = mask(text, languageOf(path)).split('\n')
  return text
    .split('\n')
    .map((line, index) => (/\.[cm]?[jt]s$/.test(path) && line.includes('/') ? line : roomy(line, masked[index]!)))
    .join('\n')
}

function roomy(line: string, masked: string): string {
  const isWord = (at: number): boolean => masked[at] === line[at] && /\S/.test(line[at] ?? ' ')
  return line.replace(/ /g, (room, at: number) => (isWord(at - 1) && isWord(at + 1) ? '  ' : room))
}

/** Whether tests may look at the text of what they test, as far as words tell. */
export const mayReadSources = (test: string): boolean =>
  /\bgetsource\w*\(|\b__code__\b|\bco_(?:code|consts|names)\b|\bread_(?:text|bytes|to_string)\b|\bopen\(|\breadFile\w*\(|\bReadFile\(|\binclude_(?:str|bytes)!|\bast\.parse\b|\bparser\.Parse|\.toString\(\)/.test(
    test,
  )

// For checks that run nothing: what a checker of types or of style finds wherever it looks.
const mistakes: [files: RegExp, text: string][] = [
  [/(?<!\.d)\.[cm]?tsx?$/, "\nexport const brokenOnPurpose: number = 'broken'\nvar unusedOnPurpose = 1\ndebugger\n"],
  [/\.[cm]?jsx?$/, '\nvar brokenOnPurpose = missingOnPurpose == null\ndebugger\n'],
  [/\.py$/, '\n\nimport os, re\nbroken_on_purpose: int = "broken"\nif undefined_on_purpose == None: pass\n'],
  [/\.go$/, '\n\nfunc brokenOnPurpose(n int) bool {\n\tn = n\n\treturn n == n\n}\n'],
  [/\.rs$/, '\n\npub fn broken_on_purpose(n: i32) -> bool {\n    let unused = 1;\n    n == n\n}\n'],
]

/** The file with mistakes at its end that a checker of it finds; null: nobody knows any. */
export function withMistakes(path: string, text: string): string | null {
  const found = mistakes.find(([files]) => files.test(path))
  return found === undefined || !isProductCode(path, text) ? null : text.trimEnd() + found[1]
}

/** Words by which checkers are told to be silent. */
const silence =
  /(?:\/\/|\/\*|#|<!--)\s*(?:@ts-(?:nocheck|ignore|expect-error)|(?:eslint|tslint|oxlint|stylelint|prettier|standard|deno-lint|biome|jshint|flow|pylint|mypy|pyright|ruff|flake8|noqa|nolint|type|lint|pyre|staticcheck|golangci)[-:\s]?\S*.*(?:disable|ignore|skip|off|false|noqa|nolint|none|errors|basic|\$|:))|\/\/\s*nolint\b|#\s*(?:noqa|type:\s*ignore|nosec)\b|\/[/*]\s*(?:eslint-disable|istanbul ignore|@ts-)|#!?\[(?:allow|expect|cfg_attr\([^)]*allow)\b/

/** Added lines that ask a checker to look away. */
export const silencingLines = (change: Change): AddedLine[] =>
  change.after === null || isFixture(change.path) || !isProductCode(change.path, change.after)
    ? []
    : addedLines(change).filter(({ text }) => silence.test(text))
