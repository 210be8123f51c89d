import { coversAny } from '../../std/glob.ts'
import { readable } from './wording.ts'

/** Words of a requirement by which its code can be found: names first, then what is not said in every text. */
export function rareWords(text: string): string[] {
  // Files are found by their paths, not by the words in these.
  const given = readable(text)
    .slice(0, 40_000)
    .replaceAll(/[\w.@-]*(?:\/[\w.@-]+)+/g, ' ')
  const names = [...given.matchAll(name)].map(([found]) => found)
  const quoted = [...given.matchAll(/["“„`']([\p{L}\d][\p{L}\d ._/-]{2,40})["”“`']/gu)].map(([, found]) =>
    found!.trim(),
  )
  const plain = (given.toLowerCase().match(/\p{L}[\p{L}\d]{2,}/gu) ?? []).filter((word) => !common.has(word)).map(stem)
  const all = [...names, ...quoted, ...plain].filter((word) => word.length >= 3 && word.length <= 60)
  return [...new Set(all.map((word) => word.toLowerCase()))].slice(0, most)
}

const most = 16

const sampled = 120

/** Some files, evenly from all: what most of them hold tells nothing about any. */
export function sampleOf(files: readonly string[]): string[] {
  const step = Math.max(1, Math.floor(files.length / sampled))
  return files.filter((_, index) => index % step === 0).slice(0, sampled)
}

/** Without the words that every fifth file holds. Where there are but a few files, none is common. */
export function uncommon(words: readonly string[], sample: readonly string[]): string[] {
  if (sample.length < sampled / 2) return [...words]
  const texts = sample.map((text) => text.slice(0, 40_000).toLowerCase())
  return words.filter((word) => texts.filter((text) => text.includes(word)).length * 5 < texts.length)
}

/** camelCase, snake_case, kebab-case of code, dotted names, constants. */
const name = /\b(?:[a-z]+(?:[A-Z][a-z0-9]*)+|[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]*)+|[A-Za-z]\w*_\w+|[A-Z][A-Z0-9]{2,})\b/g

/** So that "invoices" finds "invoice". Only endings that hardly ever are part of the word. */
const stem = (word: string): string =>
  /^[a-z]{6,}(?:ies)$/.test(word)
    ? word.slice(0, -3)
    : /^[a-z]{5,}s$/.test(word) && !/(?:ss|us|is)$/.test(word)
      ? word.slice(0, -1)
      : word

const common = new Set(
  `the and for with from that this these those when then than into onto over under only each every all any some more most less least
  make makes made add adds added remove removes fix fixes fixed use uses used using show shows change changes changed let lets return returns
  support allow allows update create creates rename move delete write given are was were has have had been being not can could should would must may
  will shall does did how what why where which who whose our your their its his her they them you user users code file files function
  functions class method methods test tests please also still again about after before between without within because instead such like same other
  new old one two first last now here there where value values name names type types return returns error errors issue bug feature
  get set put run runs want wants need needs able work works way thing things
  und oder der die das den dem des ein eine einen einem einer für mit von zu zum zur auf aus bei nach vor über unter wenn dann soll sollen muss müssen
  kann können wird werden ist sind war nicht auch noch nur bitte füge hinzu les une des pour avec dans sur est que qui los las una para con por del`
    .split(/\s+/)
    .filter((word) => word !== ''),
)

/** Files that a requirement points to, and that are there. */
export function linksIn(text: string, files: readonly string[]): string[] {
  const given = text.slice(0, 200_000)
  const there = new Set(files)
  const byName = new Map<string, string[]>()
  for (const file of files) {
    const name = file.slice(file.lastIndexOf('/') + 1)
    byName.set(name, [...(byName.get(name) ?? []), file])
  }
  const mentioned = [...given.replaceAll(/\bhttps?:\/\/\S+/g, ' ').matchAll(/[\p{L}\d@_.][\p{L}\d@_./-]*/gu)].map(
    ([found]) => found.replace(/^\.\//, '').replace(/[.,;:]+$/, ''),
  )
  // A name without its folder is meant only where there is one such file.
  const paths = mentioned.flatMap((path) => {
    if (there.has(path)) return [path]
    const named = path.includes('.') && !path.includes('/') ? (byName.get(path) ?? []) : []
    return named.length === 1 ? named : []
  })
  return [...new Set(paths)]
}

export interface Line {
  path: string
  line: number
  text: string
}

export interface RankedFile {
  path: string
  words: string[]
  lines: Line[]
}

/** Files by how many of the words they hold, each the weightier the fewer files hold it; in ties by path. */
export function rankFiles(
  found: readonly Line[],
  { words, files }: { words: readonly string[]; files: readonly string[] },
): RankedFile[] {
  const wanted = words.map((word) => word.toLowerCase())
  const byPath = new Map<string, { words: Set<string>; lines: Line[] }>()
  const note = (path: string, held: string[]) => {
    const entry = byPath.get(path) ?? { words: new Set(), lines: [] }
    byPath.set(path, entry)
    for (const word of held) entry.words.add(word)
    return entry
  }
  for (const one of found) note(one.path, wordsIn(one.text, wanted)).lines.push(one)
  // A file that is called so is what is meant more often than one that mentions it.
  for (const path of files) {
    const named = wordsIn(path, wanted)
    if (named.length > 0) note(path, named)
  }
  const holders = new Map<string, number>()
  for (const { words: held } of byPath.values())
    for (const word of held) holders.set(word, (holders.get(word) ?? 0) + 1)
  const weight = (word: string): number => Math.log(1 + files.length / holders.get(word)!)
  return [...byPath]
    .map(([path, { words: held, lines }]) => ({
      path,
      lines,
      words: [...held],
      score: [...held].reduce((sum, word) => sum + weight(word), 0) * bias(path),
    }))
    .toSorted((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1))
    .map(({ score, ...file }) => file)
}

function wordsIn(text: string, wanted: string[]): string[] {
  const plain = text.toLowerCase()
  return wanted.filter((word) => plain.includes(word))
}

/** What is made by machines, or is not ours, tells little. */
const bias = (path: string): number =>
  /(?:^|\/)(?:node_modules|vendor|dist|build|fixtures?|snapshots?|__snapshots__)\/|lock(?:file)?\.\w+$|\.lock$|\.min\.\w+$|\.svg$|\.map$/.test(
    path,
  )
    ? 0.1
    : /(?:^|\/)(?:tests?|spec|__tests__)\/|\.(?:test|spec)\.\w+$/.test(path)
      ? 0.8
      : 1

/** As much of a text as fits, to the end of a paragraph, of a line where a paragraph is longer, or of a letter. */
export function wholePart(text: string, mostBytes: number): { text: string; leftBytes: number } {
  const bytes = Buffer.byteLength(text)
  if (bytes <= mostBytes) return { text, leftBytes: 0 }
  const fitting = new TextDecoder().decode(Buffer.from(text).subarray(0, mostBytes), { stream: true })
  const ends = [fitting.lastIndexOf('\n\n'), fitting.lastIndexOf('\n'), fitting.length]
  const end = ends.find((one) => one > 0) ?? 0
  const part = fitting.slice(0, end)
  return { text: part, leftBytes: bytes - Buffer.byteLength(part) }
}

/** Files that say what a project is and wants to be: those that are configured, or the usual ones; the weightiest first. */
export function identityFiles(files: readonly string[], configured: readonly string[]): string[] {
  if (configured.length > 0) return files.filter((file) => coversAny(configured, file)).toSorted()
  const ranked = files.flatMap((file) => {
    const rank = usual.findIndex((pattern) => pattern.test(file))
    return rank < 0 ? [] : [{ file, rank }]
  })
  return ranked.toSorted((a, b) => a.rank - b.rank || (a.file < b.file ? -1 : 1)).map(({ file }) => file)
}

const usual = [
  /^(?:docs?\/)?(?:vision|mission|constitution|goals|non-goals|principles)(?:\.\w+)?$/i,
  /^readme(?:\.\w+)?$/i,
  /^(?:docs?\/)?(?:architecture|design|glossary)\.\w+$/i,
  /^(?:agents|claude)\.md$/i,
  /^(?:\.github\/|docs?\/)?contributing(?:\.\w+)?$/i,
  /^(?:docs?\/)?(?:decisions|adrs?|rfcs?|out-of-scope)\/.+\.(?:md|txt|adoc|rst)$/i,
]

/** A title alone tells nobody what a project is. */
export const saysSomething = (text: string): boolean => (text.match(/\p{L}/gu)?.length ?? 0) >= 40

/** Where the project says that it does not want what the requirement asks for. */
export function conflictsWith(
  requirement: string,
  identity: { source: string; text: string }[],
): { about: string; holds: string; yields: string }[] {
  const wanted = rareWords(requirement).map((word) => word.toLowerCase())
  return identity.flatMap(({ source, text }) =>
    refusals(text).flatMap((sentence) => {
      const words = new Set(rareWords(sentence).map((word) => word.toLowerCase()))
      const both = wanted.filter((word) => words.has(word))
      if (both.length < 2) return []
      const yields = `the requirement: ${requirement.trim().replace(/\s+/g, ' ').slice(0, 160)}`
      return [{ about: both.slice(0, 4).join(', '), holds: `${source}: ${sentence.slice(0, 240)}`, yields }]
    }),
  )
}

const no =
  /\b(?:never|must not|mustn't|will not|won't|do not|don't|does not|no longer|non-goals?|out of scope|not supported|on purpose|deliberately|niemals|nicht|kein\w*)\b/i

/** Sentences that say no, and the items under a heading that does. */
function refusals(text: string): string[] {
  let under = false
  return text.split('\n').flatMap((line) => {
    if (/^#{1,6}\s/.test(line)) under = /non-goals?|out of scope|not goals|nicht-ziele/i.test(line)
    if (under && /^\s*[-*]\s/.test(line)) return [line.replace(/^\s*[-*]\s+/, '').trim()]
    return line
      .split(/(?<=[.!?])\s+/)
      .filter((sentence) => no.test(sentence))
      .map((sentence) => sentence.trim())
  })
}

const prefix = /^(?:feat|fix|chore|docs|refactor|test|build|ci|perf|style|revert)(?:\([^)]*\))?!?: \S/

export const hasPrefix = (subject: string): boolean => prefix.test(subject)

/** Whether the commits of a repository begin with the kind of work: most of the last ones do. */
export const isPrefixed = (subjects: readonly string[]): boolean =>
  subjects.length > 0 && subjects.filter(hasPrefix).length * 2 > subjects.length
