import type { Finding } from '../../delivery/judging/finding.ts'
import { hashOf } from '../../std/hash.ts'
import { type Change, isFixture } from '../files/change.ts'
import { isTest } from '../files/test-file.ts'
import { report } from '../inspection/report.ts'
import { type AddedLine, addedLines } from './added-lines.ts'
import { entropyOf, isMadeOfWords, named, patterns, placeholder, privateKey } from './secret-patterns.ts'

/** Keys of known vendors in a text; lines count from 1. */
export type SecretScanner = (text: string) => Promise<{ line: number; kind: string; value: string }[]>

interface Secret {
  line: number
  what: string
  /** Never shown, never stored. */
  value: string
  /** What of the text it stands in is found again where it was before; without: its value. */
  known?: string
}

/** Secrets in what was added. Their values are nowhere in the findings. */
export async function secretFindings(changes: readonly Change[], scan: SecretScanner): Promise<Finding[]> {
  const files = changes.filter(mayHoldSecrets).map((change) => ({ change, lines: addedLines(change) }))
  const vendors = await byVendor(files, scan)
  // What a change only moves or rewrites was not let out by it.
  const before = changes.map((change) => change.before ?? '')
  const isOld = ({ value, known = value }: Secret): boolean => before.some((text) => text.includes(known))
  return files.flatMap((file) => inFile(file, vendors.get(file) ?? [], isOld))
}

interface AddedTo {
  change: Change
  lines: AddedLine[]
}

/** Lock files and bundles are full of what looks random. */
const mayHoldSecrets = ({ path, after }: Change): boolean =>
  after !== null && !/(?:lock\.json|\.lock|\.sum|-lock\.yaml|\.min\.js|\.map|\.svg|\.snap)$/.test(path)

function inFile({ change, lines }: AddedTo, vendors: Secret[], isOld: (one: Secret) => boolean): Finding[] {
  // The plainest words last: they stand.
  const all = [...vendors, ...byName(lines, change.path), ...byPattern(lines), ...keysIn(lines)]
  const once = new Map(all.filter((one) => !isPlaceholder(one.value) && !isOld(one)).map((one) => [one.line, one]))
  return [...once.values()].map((secret) => findingFor(change, secret))
}

/** Real ones are no more welcome in test data, but what was made up for a test says so. */
function isPlaceholder(value: string): boolean {
  if (placeholder.test(value) || new Set(value).size < 5 || madeUp.test(value)) return true
  // Of a signed token only what it says tells that it is made up.
  const said = /^eyJ[\w-]+\.([\w-]+)\./.exec(value)?.[1]
  return said !== undefined && /example|\btest|1234567|john ?doe/i.test(Buffer.from(said, 'base64url').toString())
}

const madeUp = /(?:0123456|1234567|abcdefg)/i

const byPattern = (lines: AddedLine[]): Secret[] =>
  lines.flatMap(({ line, text }) => {
    if (text.length > longestLine) return []
    return patterns.flatMap(({ what, find }) => {
      const found = find.exec(text)
      const value = found?.groups?.secret ?? found?.[1]
      return value === undefined || isLocalWord(text, value) ? [] : [{ line, what, value, known: found![0] }]
    })
  })

/** A service beside this one has a name without a dot, and a password that nobody drew by lot. */
const isLocalWord = (text: string, value: string): boolean =>
  /^@[\w-]+(?:[:/?\s'"]|$)/.test(text.slice(text.indexOf(`${value}@`) + value.length)) && entropyOf(value) < 3.2

const keysIn = (lines: AddedLine[]): Secret[] =>
  lines.flatMap(({ line, text }, index) => {
    const below = lines[index + 1]?.line === line + 1 ? lines[index + 1]!.text : ''
    const value = privateKey.exec(`${text.slice(0, longestLine)}\n${below.slice(0, 200)}`)?.[1]
    // The first characters of many keys are the same.
    const known = /[A-Za-z0-9+/]{40,}/.exec(`${text}\n${below}`)?.[0] ?? `${text}\n${below}`
    return value === undefined || !text.includes(value) ? [] : [{ line, what: 'a private key', value, known }]
  })

const longestLine = 5_000

/** Words are no secrets: a random one has more bits. Tests make up more of them. */
function byName(lines: AddedLine[], path: string): Secret[] {
  if (isFixture(path)) return []
  const least = isTest(path) || /\.(?:md|rst|txt)$/.test(path) ? 4.2 : 3.6
  return lines.flatMap(({ line, text }) => {
    const value = text.length > longestLine ? undefined : named.exec(text)?.[1]
    const random =
      value !== undefined &&
      value.length >= 16 &&
      /\d/.test(value) &&
      !isMadeOfWords(value) &&
      entropyOf(value) >= least
    return random ? [{ line, what: 'a password or key', value }] : []
  })
}

/**
 * All files in one text: the library keeps a record of every text that it is given, for as long as the process lives,
 * and goes through all of it for each one. With hundreds of files that is seconds in which nothing else happens.
 */
async function byVendor(files: AddedTo[], scan: SecretScanner): Promise<Map<AddedTo, Secret[]>> {
  const places = files.flatMap((file) => [...file.lines.map(({ line, text }) => ({ file, line, text })), end])
  const secrets = new Map<AddedTo, Secret[]>()
  if (places.length === files.length) return secrets
  const found = await scan(places.map(({ text }) => text.slice(0, longestLine)).join('\n'))
  // Which addresses matter is for our own pattern: the library takes those of this machine for leaks.
  const others = found.filter(({ kind }) => kind !== 'database-connection-string' && kind !== 'basicauth')
  for (const { line: at, kind, value } of others) {
    const { file, line } = places[at - 1] ?? end
    if (file !== null) secrets.set(file, [...(secrets.get(file) ?? []), { line, what: `a secret (${kind})`, value }])
  }
  return secrets
}

/** Between two files. */
const end = { file: null, line: 0, text: '' }

const findingFor = ({ path }: Change, { line, what, value }: Secret): Finding =>
  report({
    rule: 'secret',
    file: path,
    line,
    what: hashOf([value]).slice(0, 12),
    message: `${what} is in this line; take it out, read it from the environment, and have it replaced: whoever saw it may use it`,
  })
