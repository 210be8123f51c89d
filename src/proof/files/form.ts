import type { Change } from './change.ts'
import { type Language, languageOf } from './test-file.ts'

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
