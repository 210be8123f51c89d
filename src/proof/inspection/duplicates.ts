// New functions and classes that do what an existing one does, token for token but for their own names.
import type { Finding } from '../../delivery/judging/finding.ts'
import { isProductCode } from '../breakage/spots.ts'
import { baseName, type Change, folderOf, pathBefore, pathsOf } from '../files/change.ts'
import { type CodeReader, type Grammar, grammarOf } from '../files/test-file.ts'
import { worthReading } from '../related/tree.ts'
import { objection } from './objection.ts'
import { saysGenerated } from './scope.ts'

/** The files of the commit that the change led to. */
interface Files {
  list(): Promise<string[]>
  read(paths: readonly string[]): Promise<Map<string, Uint8Array>>
}

/** A function or a class that stands for itself: not inside of another one. */
interface Piece {
  path: string
  name: string
  line: number
  /** Equal for what does the same. */
  tokens: string[]
  key: string
}

const [mostFindings, mostRead, mostParsed] = [10, 3_000, 100]

export async function duplicateFindings(
  changes: readonly Change[],
  { code, files }: { code: CodeReader; files: Files },
): Promise<Finding[]> {
  const sides = changes.filter(isOurs).map((change) => ({
    before: piecesIn(code, pathBefore(change), change.before ?? ''),
    after: piecesIn(code, change.path, change.after ?? ''),
  }))
  const added = sides.flatMap(addedIn)
  if (added.length === 0) return []
  const kept = sides.flatMap(({ after }) => after.filter((piece) => !added.includes(piece)))
  const known = [...kept, ...(await unchanged(changes, { added, code, files }))]
  return added.flatMap((piece) => findingFor(piece, known)).slice(0, mostFindings)
}

function findingFor(piece: Piece, known: Piece[]): Finding[] {
  const other = known.find((one) => one.key === piece.key && !isVariant(one.path, piece.path))
  if (other === undefined) return []
  return [
    objection({
      rule: 'duplicate',
      file: piece.path,
      line: piece.line,
      what: piece.name,
      severity: 'suggestion',
      message: `${piece.name} does the same as ${other.name} in ${other.path}:${other.line}: use that one`,
    }),
  ]
}

/** Of one piece of code for several platforms, all are needed. */
const isVariant = (one: string, other: string): boolean =>
  one !== other && folderOf(one) === folderOf(other) && withoutPlatform(one) === withoutPlatform(other)

const withoutPlatform = (path: string): string =>
  baseName(path).replace(
    /(?:_(?:linux|darwin|windows|unix|other|amd64|arm64)|\.(?:ios|android|web|native|node|browser))+(?=\.)/,
    '',
  )

const isOurs = ({ path, after }: Change): boolean =>
  after !== null && grammarOf(path) !== null && isProductCode(path, after) && !saysGenerated(after)

/** What is there under a name that the file did not have for it. What only has another name now is not new. */
function addedIn({ before, after }: Record<'before' | 'after', Piece[]>): Piece[] {
  const isIn = (pieces: Piece[], { name, key }: Piece): boolean =>
    pieces.some((one) => one.name === name && one.key === key)
  return after.filter((piece) => {
    const same = before.filter(({ key }) => key === piece.key)
    return !isIn(same, piece) && same.every((one) => isIn(after, one))
  })
}

interface Search {
  added: Piece[]
  code: CodeReader
  files: Files
}

/** Of the files of the same languages that have the words of what is new: the nearest ones. */
async function unchanged(changes: readonly Change[], { added, code, files }: Search): Promise<Piece[]> {
  const touched = new Set(changes.flatMap(pathsOf))
  const languages = new Set(added.map(({ path }) => languageOf(path)))
  const others = (await files.list()).filter(
    (path) => !touched.has(path) && languages.has(languageOf(path)) && worthReading(path) && isProductCode(path, ''),
  )
  const folders = [...new Set(added.map(({ path }) => folderOf(path).split('/')))]
  const near = others
    .map((path) => ({ path, depth: Math.max(...folders.map((folder) => sharedDepth(path.split('/'), folder))) }))
    .sort((a, b) => b.depth - a.depth)
    .slice(0, mostRead)
    .map(({ path }) => path)
  const texts = await files.read(near)
  const words = added.map(({ tokens }) => wordsOf(tokens))
  return near
    .map((path) => ({ path, text: new TextDecoder().decode(texts.get(path)) }))
    .filter(({ text }) => words.some((all) => all.every((word) => text.includes(word))) && !saysGenerated(text))
    .slice(0, mostParsed)
    .flatMap(({ path, text }) => piecesIn(code, path, text))
}

function sharedDepth(one: string[], other: string[]): number {
  const end = other.findIndex((part, at) => one[at] !== part)
  return end === -1 ? other.length : end
}

const languageOf = (path: string): string => grammarOf(path)?.replace(/^t(?:ypescript|sx)$/, 'javascript') ?? ''

const scripts = ['function_declaration', 'generator_function_declaration', 'class_declaration', 'variable_declarator']
const kinds: Record<Grammar, { wanted: string[]; around: string[] }> = {
  javascript: { wanted: scripts, around: ['arrow_function', 'function_expression'] },
  typescript: { wanted: [...scripts, 'abstract_class_declaration'], around: ['arrow_function', 'function_expression'] },
  tsx: { wanted: [...scripts, 'abstract_class_declaration'], around: ['arrow_function', 'function_expression'] },
  python: { wanted: ['function_definition', 'class_definition'], around: [] },
  go: { wanted: ['function_declaration'], around: [] },
  rust: { wanted: ['function_item'], around: ['impl_item', 'trait_item'] },
}

const declared = /\b(?:function\s*\*?|class|def|fn|func)\s+([\w$]+)/
const functionValue = /^([\w$]+)\s*(?::[^=]+)?=\s*(?:async\s+)?(?:function\b|\(|[\w$]+\s*=>)/

const [fewestLines, fewestTokens] = [4, 25]

/** Those of some size; none where the grammar could not be loaded. Spans come outer before inner. */
function piecesIn(code: CodeReader, path: string, text: string): Piece[] {
  const grammar = grammarOf(path)
  if (grammar === null) return []
  const { wanted, around } = kinds[grammar]
  let end = -1
  return (code.nodes(grammar, text, [...wanted, ...around]) ?? []).flatMap((span) => {
    if (span.start < end) return []
    end = span.end
    const own = text.slice(span.start, span.end)
    const name = (span.kind === 'variable_declarator' ? functionValue : declared).exec(own)?.[1]
    if (!wanted.includes(span.kind) || name === undefined) return []
    if (own.split('\n').filter((line) => /[\w$]/.test(line)).length < fewestLines) return []
    const tokens = normalForm(own, name, grammar)
    const line = text.slice(0, span.start).split('\n').length
    return tokens.length < fewestTokens ? [] : [{ path, name, line, tokens, key: tokens.join(' ') }]
  })
}

/** The tokens without comments, and with the names that belong to the piece alone taken out. */
function normalForm(text: string, name: string, grammar: Grammar): string[] {
  const all = [...text.matchAll(grammar === 'python' ? pythonTokens : otherTokens)]
    .filter(([token, comment]) => comment === undefined && token !== ';' && token !== ',')
    .map(([token]) => token)
  const own = namesOf(all)
  const declaredAt = all.indexOf(name)
  return all.map((token, at) => {
    if (at === declaredAt || (token === name && !own.includes(name))) return '@'
    return own.includes(token) && all[at - 1] !== '.' ? `$${own.indexOf(token)}` : token
  })
}

const rest =
  /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`|[A-Za-z_$][\w$]*|\d[\w.]*|:=|=>|[=!<>]=+|&&|\|\||\S/.source
const pythonTokens = new RegExp(`(#[^\\n]*|"""[\\s\\S]*?"""|'''[\\s\\S]*?''')|${rest}`, 'g')
const otherTokens = new RegExp(`(//[^\\n]*|/\\*[\\s\\S]*?\\*/)|${rest}`, 'g')

const word = /^[A-Za-z_$][\w$]*$/
const declares = new Set(['const', 'let', 'var', 'mut', 'for', 'as'])

/** Parameters, and what is declared inside, by the customs of these languages; in the order in which they come. */
function namesOf(all: string[]): string[] {
  const parameters = all.slice(0, endOfParameters(all))
  const isName = (token: string, at: number): boolean => {
    const [before = '', after = ''] = [all[at - 1], all[at + 1]]
    if (!word.test(token) || declares.has(token) || before === '.') return false
    if (at > parameters.indexOf('(') && at < parameters.length && before !== ':') return true
    return declares.has(before) || after === ':=' || (after === '=' && before !== ':')
  }
  return [...new Set(all.filter(isName))]
}

/** What follows a colon among them is a type. */
function endOfParameters(all: string[]): number {
  let depth = 0
  for (const [at, token] of all.entries()) {
    if (token === '(') depth += 1
    if (token === ')') depth -= 1
    if ((token === ')' && depth === 0) || (depth === 0 && (token === '{' || token === '=>'))) return at
  }
  return 0
}

/** The longest words that other code which does the same must have. */
const wordsOf = (tokens: readonly string[]): string[] =>
  [...new Set(tokens.filter((token) => /^(?:["'`].{4}|[A-Za-z_]\w{3})/.test(token)))]
    .sort((a, b) => b.length - a.length)
    .slice(0, 12)
