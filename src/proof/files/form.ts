import { parseJson } from '../../std/json.ts'
import type { Change } from './change.ts'
import { type CodeReader, grammarOf, type Language, languageOf } from './test-file.ts'

/** Nothing changed but what formatters and writers of comments change. */
export const onlyFormChanged = ({ path, before, after, status, oldMode, newMode }: Change): boolean =>
  status === 'modified' &&
  oldMode === newMode &&
  before !== null &&
  after !== null &&
  withoutForm(before, languageOf(path)) === withoutForm(after, languageOf(path))

const strings = '"(?:\\\\.|[^"\\\\\\n])*"|\'(?:\\\\.|[^\'\\\\\\n])*\'|`(?:\\\\.|[^`\\\\])*`'
const rest = `${strings}|[\\w$]+|\\n[ \\t]*|[^\\s]`
const slashed = new RegExp(`//[^\\n]*|/\\*[\\s\\S]*?\\*/|${rest}`, 'g')
const hashed = new RegExp(`"""[\\s\\S]*?"""|'''[\\s\\S]*?'''|#[^\\n]*|${rest}`, 'g')

/** Tools read these, so they are more than words to a reader. */
const directive =
  /^\W*(?:go:|\+build|export |@(?:ts|jest|vitest|jsx)|__PURE__|eslint|biome|istanbul|c8|v8|node:|pragma|noqa|type:|pylint|mypy|(?:unordered )?output:|!)/i

/** A text as its compiler sees it: what stands between words, quotes, last commas and comments are left out; blocks stay. */
export function withoutForm(text: string, language: Language): string {
  const byIndent = language === 'python' || language === 'other'
  const pattern = byIndent || language === 'ruby' ? hashed : slashed
  const tokens: string[] = []
  const indents = [1]
  let [depth, line] = [0, '\n']
  for (const [token] of text.matchAll(pattern)) {
    if (token.startsWith('\n')) {
      line = token
      continue
    }
    const told = tellOf(token, pattern === hashed)
    if (told === '' || (told === ';' && language === 'js')) continue
    if (byIndent && line !== '' && depth === 0) tokens.push(blockAt(line.length, indents))
    line = ''
    if (/^[([{]$/.test(told)) depth += 1
    if (/^[)\]}]$/.test(told)) {
      depth = Math.max(0, depth - 1)
      if (tokens.at(-1) === ',') tokens.pop()
    }
    tokens.push(told)
  }
  return tokens.join('\n')
}

/** A token without its looks; nothing for a comment that no tool reads. */
function tellOf(token: string, isHashed: boolean): string {
  if (isHashed ? token.startsWith('#') : /^\/[/*]/.test(token))
    return token
      .split('\n')
      .filter((line) => directive.test(line))
      .join('\n')
  return /^["`][^"'`\\$]*["`]$/.test(token) ? `'${token.slice(1, -1)}'` : token
}

/** Where a line begins, told by the blocks that open and close before it, however wide they are. */
function blockAt(width: number, indents: number[]): string {
  let told = '|'
  if (width > indents.at(-1)!) {
    indents.push(width)
    return `${told}>`
  }
  while (indents.length > 1 && width < indents.at(-1)!) {
    indents.pop()
    told += '<'
  }
  return told
}

/**
 * Only type annotations have changed, which nothing executes. In Python, what a class says of its fields may be
 * read by what it is built with, so only parameters and results count.
 */
export function onlyTypesChanged({ path, before, after, status }: Change, code: CodeReader): boolean {
  if (status !== 'modified' || before === null || after === null) return false
  const [then, now] = [withoutTypes(path, before, code), withoutTypes(path, after, code)]
  return then !== null && then === now
}

const kinds = {
  typescript: [
    'type_annotation',
    'type_arguments',
    'type_parameters',
    'type_alias_declaration',
    'interface_declaration',
  ],
  python: ['parameters', 'type', 'import_from_statement'],
}

function withoutTypes(path: string, text: string, code: CodeReader): string | null {
  const grammar = grammarOf(path)
  const isPython = grammar === 'python'
  if (!isPython && grammar !== 'typescript' && grammar !== 'tsx') return null
  const spans = code.nodes(grammar, text, kinds[isPython ? 'python' : 'typescript'])
  if (spans === null) return null
  const lists = spans.filter(({ kind }) => kind === 'parameters')
  const isPlain = ({ kind, start, end }: (typeof spans)[number]): boolean => {
    if (!isPython) return true
    if (kind === 'import_from_statement')
      return /^from\s+(?:typing|typing_extensions|collections\.abc)\s/.test(text.slice(start, end))
    const isResult = /->\s*$/.test(text.slice(Math.max(0, start - 40), start))
    return kind === 'type' && (isResult || lists.some((list) => list.start < start && end <= list.end))
  }
  let [left, at] = ['', 0]
  for (const span of spans.filter(isPlain)) {
    if (span.start < at) continue
    left += text.slice(at, span.start)
    if (isPython) left = left.replace(/(?:->|:)\s*$/, '')
    at = span.end
  }
  return withoutForm(left + text.slice(at), languageOf(path))
}

export interface OwnFile {
  path: string
  /** What a product adds or renews there, at the top of the JSON; all else in it is somebody's. */
  keys: string[]
}

/**
 * What products rewrite in a repository whenever they start. Of all products for every agent: a command of the user's,
 * or an agent in between, may start any of them.
 */
export const ownFiles: OwnFile[] = [
  { path: '.qwen/settings.json', keys: ['$version'] },
  ...['opencode.json', 'opencode.jsonc', '.opencode/opencode.json', '.opencode/opencode.jsonc'].map((path) => ({
    path,
    keys: ['$schema'],
  })),
]

export interface Rewritten {
  /** What it is in the commit; null: it is not there. */
  before: string | null
  after: string
  keys: string[]
}

/** Whether a product's own file differs by what the product does to it unasked, and by nothing that somebody wrote. */
export function isToolsOwn({ before, after, keys }: Rewritten): boolean {
  const was = without(before ?? '{}', keys)
  const is = without(after, keys)
  if (was !== null && is !== null) return was === is
  return before !== null && linesOf(before, keys) === linesOf(after, keys)
}

/** Null: it is no JSON, perhaps for its comments. */
function without(text: string, keys: string[]): string | null {
  const value = parseJson(text)
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return null
  return JSON.stringify(Object.entries(value).filter(([key]) => !keys.includes(key)))
}

function linesOf(text: string, keys: string[]): string {
  const isOwn = (line: string): boolean =>
    keys.some((key) => new RegExp(`^"\\${key}":\\s*("[^"]*"|\\d+),?$`).test(line))
  const lines = text.split('\n').map((line) => line.trim())
  return lines.filter((line) => line !== '' && !isOwn(line)).join('\n')
}
