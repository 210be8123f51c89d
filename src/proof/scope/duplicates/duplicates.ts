import type { Finding } from '../../../delivery/judging/finding.ts'
import { baseName, type Change, folderOf, isFixture, pathBefore, pathsOf } from '../../files/change.ts'
import { type CodeReader, type Grammar, grammarOf } from '../../files/code-reader.ts'
import { isTest } from '../../files/test-file.ts'
import { report } from '../../inspection/report.ts'
import { saysGenerated } from '../generated.ts'
import { foreignWords } from './normal-form.ts'
import { type Piece, symbolsIn } from './symbols.ts'

/** The files of the commit that the change led to. */
export interface Files {
  list(): Promise<string[]>
  read(paths: readonly string[]): Promise<Map<string, Uint8Array>>
}

interface Place {
  path: string
  symbol: Piece
}

const mostFindings = 10
const mostRead = 3_000
const mostParsed = 100
const mostCharacters = 1_000_000

/** New functions and classes that do what an existing one does, name for name of what they use. */
export async function duplicateFindings(
  changes: readonly Change[],
  { code, files }: { code: CodeReader; files: Files },
): Promise<Finding[]> {
  const sides = changes.filter(isOurs).map((change) => sidesOf(change, code))
  const added = sides.flatMap(addedIn)
  if (added.length === 0) return []
  const known = new Map<string, Place[]>()
  const keep = (place: Place) => known.set(place.symbol.key, [...(known.get(place.symbol.key) ?? []), place])
  for (const place of sides.flatMap(keptIn)) keep(place)
  for (const place of await unchanged(changes, { added, code, files })) keep(place)
  return added.flatMap((place) => found(place, known.get(place.symbol.key) ?? [])).slice(0, mostFindings)
}

function found({ path, symbol }: Place, others: Place[]): Finding[] {
  const other = others.find(
    (one) => !(one.path === path && one.symbol.name === symbol.name) && !isVariant(one.path, path),
  )
  if (other === undefined) return []
  const where = `${other.path}:${other.symbol.line}`
  return [
    report({
      rule: 'duplicate',
      file: path,
      line: symbol.line,
      what: symbol.name,
      severity: 'suggestion',
      message: `${symbol.name} does the same as ${other.symbol.name} in ${where}: use that one`,
    }),
  ]
}

/** Of one piece of code for several platforms, all are needed. */
const isVariant = (one: string, other: string): boolean =>
  folderOf(one) === folderOf(other) && stem(one) === stem(other) && one !== other

const stem = (path: string): string =>
  baseName(path).replace(
    /(?:_(?:linux|darwin|windows|unix|other|amd64|arm64)|\.(?:ios|android|web|native|node|browser))+(?=\.)/,
    '',
  )

const elsewhere =
  /(?:^|\/)(?:node_modules|vendor|third_party|dist|build|out|generated|__generated__|migrations?|examples?|samples?|templates?|bench(?:marks?)?)\/|\.min\.js$|\.d\.[cm]?ts$|_pb2?\.\w+$|\.pb\.go$/

const isCode = (path: string): boolean =>
  grammarOf(path) !== null && !isTest(path) && !isFixture(path) && !elsewhere.test(path)

const isOurs = ({ path, after }: Change): boolean => after !== null && isCode(path) && !saysGenerated(after)

const symbolsOf = (code: CodeReader, path: string, text: string | null): Piece[] =>
  text === null ? [] : (symbolsIn(code, grammarOf(path)!, text) ?? [])

interface Sides {
  path: string
  before: Piece[]
  after: Piece[]
}

const sidesOf = (change: Change, code: CodeReader): Sides => ({
  path: change.path,
  before: grammarOf(pathBefore(change)) === null ? [] : symbolsOf(code, pathBefore(change), change.before),
  after: symbolsOf(code, change.path, change.after),
})

/** What is there under a name that the file did not have for it. A symbol that only has another name now is not new. */
function addedIn({ path, before, after }: Sides): Place[] {
  const names = new Set(after.map(({ name, key }) => `${name} ${key}`))
  return after
    .filter(({ name, key }) => {
      const same = before.filter((one) => one.key === key)
      return same.every((one) => one.name !== name && names.has(`${one.name} ${key}`))
    })
    .map((symbol) => ({ path, symbol }))
}

/** What was there and still is. */
function keptIn({ path, before, after }: Sides): Place[] {
  const names = new Set(before.map(({ name, key }) => `${name} ${key}`))
  return after.filter(({ name, key }) => names.has(`${name} ${key}`)).map((symbol) => ({ path, symbol }))
}

interface Search {
  added: Place[]
  code: CodeReader
  files: Files
}

/** Of the files of the same languages that have the words of what is new: the nearest ones. */
async function unchanged(changes: readonly Change[], { added, code, files }: Search): Promise<Place[]> {
  const touched = new Set(changes.flatMap(pathsOf))
  const families = new Set(added.map(({ path }) => familyOf(path)))
  const others = (await files.list()).filter(
    (path) => isCode(path) && !touched.has(path) && families.has(familyOf(path)),
  )
  const near = nearest(others, [...new Set(added.map(({ path }) => folderOf(path)))]).slice(0, mostRead)
  const texts = await files.read(near)
  const words = added.map(({ symbol }) => foreignWords(symbol.form))
  const places: Place[] = []
  const read = { files: 0, characters: 0 }
  for (const path of near) {
    const text = textOf(texts.get(path))
    if (!words.some((all) => all.every((word) => text.includes(word))) || saysGenerated(text)) continue
    read.files += 1
    read.characters += text.length
    if (read.files > mostParsed || read.characters > mostCharacters) break
    places.push(...symbolsOf(code, path, text).map((symbol) => ({ path, symbol })))
  }
  return places
}

const textOf = (bytes: Uint8Array | undefined): string => (bytes === undefined ? '' : new TextDecoder().decode(bytes))

const familyOf = (path: string): Grammar => {
  const grammar = grammarOf(path)!
  return grammar === 'typescript' || grammar === 'tsx' ? 'javascript' : grammar
}

function nearest(paths: string[], folders: string[]): string[] {
  const shared = (path: string): number => Math.max(...folders.map((folder) => sharedDepth(path, folder)))
  return paths
    .map((path) => ({ path, depth: shared(path) }))
    .sort((a, b) => b.depth - a.depth)
    .map(({ path }) => path)
}

function sharedDepth(path: string, folder: string): number {
  const [one, other] = [path.split('/'), folder.split('/')]
  let depth = 0
  while (depth < other.length && one[depth] === other[depth]) depth += 1
  return depth
}
