import type { Finding } from '../../delivery/judging/finding.ts'
import { hashOf } from '../../std/hash.ts'
import { type AddedLine, addedLines, type Change, isFixture } from '../files/change.ts'
import { isTest } from '../files/test-file.ts'
import { objection } from './objection.ts'

/** Keys of known vendors in a text; lines count from 1. */
export type SecretScanner = (text: string) => Promise<{ line: number; kind: string; value: string }[]>

interface Secret {
  line: number
  what: string
  /** Never shown, never stored. */
  value: string
  /** What of the text it stands in is found again where it was before. */
  known: string
}

/** Secrets in what was added. Their values are nowhere in the findings. */
export async function secretFindings(changes: readonly Change[], scan: SecretScanner): Promise<Finding[]> {
  const files = changes.filter(mayHoldSecrets).map((change) => ({ change, lines: addedLines(change) }))
  const vendors = await byVendor(files, scan)
  // What a change only moves or rewrites was not let out by it.
  const before = changes.map((change) => change.before ?? '')
  const isOld = ({ known }: Secret): boolean => before.some((text) => text.includes(known))
  return files.flatMap(({ change, lines }) => {
    // The plainest words last: they stand.
    const all = [...(vendors.get(change) ?? []), ...byName(lines, change.path), ...byPattern(lines)]
    const once = new Map(all.filter((one) => !isMadeUp(one.value) && !isOld(one)).map((one) => [one.line, one]))
    return [...once.values()].map((secret) => findingFor(change, secret))
  })
}

/** Lock files and bundles are full of what looks random. */
const mayHoldSecrets = ({ path, after }: Change): boolean =>
  after !== null && !/(?:lock\.json|\.lock|\.sum|-lock\.yaml|\.min\.js|\.map|\.svg|\.snap)$/.test(path)

const longestLine = 5_000

/**
 * All files in one text: the library keeps a record of every text that it is given, for as long as the process lives,
 * and goes through all of it for each one. With hundreds of files that is seconds in which nothing else happens.
 */
async function byVendor(
  files: { change: Change; lines: AddedLine[] }[],
  scan: SecretScanner,
): Promise<Map<Change, Secret[]>> {
  // An empty line stands between two files.
  const places = files.flatMap(({ change, lines }) => [...lines.map((line) => ({ change, ...line })), null])
  const secrets = new Map<Change, Secret[]>()
  if (places.length === files.length) return secrets
  const found = await scan(places.map((place) => place?.text.slice(0, longestLine) ?? '').join('\n'))
  for (const { line: at, kind, value } of found) {
    const place = places[at - 1] ?? null
    // Which addresses matter is for our own pattern: the library takes those of this machine for leaks.
    if (place === null || kind === 'database-connection-string' || kind === 'basicauth') continue
    const secret = { line: place.line, what: `a secret (${kind})`, value, known: value }
    secrets.set(place.change, [...(secrets.get(place.change) ?? []), secret])
  }
  return secrets
}

/** A value under a telling name. */
const named =
  /(?:passwo?r?d|passwd|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|credentials?)['"]?\s{0,9}(?:=>|:=|[:=])\s{0,9}['"`]([^'"`\s]{8,200})['"`]/i

/** Words are no secrets: a random value has more bits. Tests make up more of them. */
function byName(lines: AddedLine[], path: string): Secret[] {
  if (isFixture(path)) return []
  const least = isTest(path) || /\.(?:md|rst|txt)$/.test(path) ? 4.2 : 3.6
  return lines.flatMap(({ line, text }) => {
    const value = text.length > longestLine ? undefined : named.exec(text)?.[1]
    if (value === undefined || value.length < 16 || !/\d/.test(value)) return []
    if (isMadeOfWords(value) || entropyOf(value) < least) return []
    return [{ line, what: 'a password or key', value, known: value }]
  })
}

const aKey = 'a private key'

/** What the library does not find, or finds in addresses of this machine. The secret is the group of that name. */
const patterns: [what: string, find: RegExp][] = [
  ['an AWS access key', /\b(?<secret>(?:AKIA|ASIA)[A-Z2-7]{16})\b/],
  ['an AWS secret key', /aws.{0,20}?(?:secret|key).{0,20}?['"=:\s](?<secret>[A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])/i],
  ['a Stripe key', /\b(?<secret>(?:sk|rk)_live_[A-Za-z0-9]{16,})\b/],
  ['a Google API key', /\b(?<secret>AIza[A-Za-z0-9_-]{35})(?![A-Za-z0-9_-])/],
  ['an OpenAI key', /\b(?<secret>sk-(?=[\w-]*\d)(?=[\w-]*[A-Z])(?:proj-|svcacct-)?[A-Za-z0-9_-]{32,})\b/],
  ['a signed token', /\b(?<secret>eyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{20,})/],
  [
    // On this machine, or with the user's own name for it, it opens nothing that others have.
    'an address with a password',
    /\b[a-z][a-z0-9+]*:\/\/(?<user>[^\s:/@'"]+):(?!\k<user>@)(?<secret>[^\s:/@'"]{6,})@(?!localhost\b|127\.|0\.0\.0\.0|\[::1\]|host\.docker\.internal)(?<host>[^\s'"]+)/i,
  ],
  [
    // Only with what belongs to it, which may stand on the line below: code that reads keys names their first line, too.
    aKey,
    /(?<secret>-----BEGIN (?:[A-Z]+ )*PRIVATE KEY(?: BLOCK)?-----)(?:\\[nr]|[\s"'`+,]){1,40}(?:[A-Za-z0-9+/]{16}|Proc-Type:|Version:|Comment:)[A-Za-z0-9+/]*/,
  ],
]

const byPattern = (lines: AddedLine[]): Secret[] =>
  lines.flatMap(({ line, text }, at) => {
    const next = lines[at + 1]
    const below = next?.line === line + 1 ? next.text.slice(0, 200) : ''
    return patterns.flatMap(([what, find]) => {
      const found = find.exec(what === aKey ? `${text.slice(0, longestLine)}\n${below}` : text.slice(0, longestLine))
      const { secret, host } = found?.groups ?? {}
      if (secret === undefined || !text.includes(secret) || isLocalWord(secret, host)) return []
      // The first characters of many keys are the same.
      return [{ line, what, value: secret, known: /[A-Za-z0-9+/]{40,}/.exec(found![0])?.[0] ?? found![0] }]
    })
  })

/** A service beside this one has a name without a dot, and a password that nobody drew by lot. */
const isLocalWord = (secret: string, host: string | undefined): boolean =>
  host !== undefined && /^[\w-]+(?:[:/?]|$)/.test(host) && entropyOf(secret) < 3.2

/** What stands where a secret would. */
const placeholder =
  /example|sample|dummy|placeholder|changeme|change[-_]me|your[-_]|my[-_]?(?:secret|token|password)|redacted|todo|xxx|0123456|1234567|abcdefg|\.\.\.|…|^[*x•.]+$|^<.*>$|\$\{|\{\{|%[A-Z_]+%|process\.env|os\.environ|^(?:test|fake|mock|foo|bar|secret|password|token)[\w-]*$/i

/** Real ones are no more welcome in test data, but what was made up for a test says so. */
function isMadeUp(value: string): boolean {
  if (placeholder.test(value) || new Set(value).size < 5) return true
  // Of a signed token only what it says tells that it is made up.
  const said = /^eyJ[\w-]+\.([\w-]+)\./.exec(value)?.[1]
  return said !== undefined && /example|\btest|1234567|john ?doe/i.test(Buffer.from(said, 'base64url').toString())
}

/** Addresses, paths, and keys of texts are made of words. */
function isMadeOfWords(value: string): boolean {
  if (/^[a-z][\w+.-]*:\/\/[^@]*$/i.test(value)) return true
  const parts = value.split(/[/._:-]+/).filter((part) => part !== '')
  return (
    parts.length >= 3 && parts.every((part) => /^(?:v?\d+|[A-Z]+|[A-Za-z]?[a-z]+(?:[A-Z][a-z]+)*\d{0,2})$/.test(part))
  )
}

/** Bits for each character. */
function entropyOf(text: string): number {
  const counts = new Map<string, number>()
  for (const char of text) counts.set(char, (counts.get(char) ?? 0) + 1)
  return [...counts.values()].reduce((sum, count) => sum - (count / text.length) * Math.log2(count / text.length), 0)
}

const findingFor = ({ path }: Change, { line, what, value }: Secret): Finding =>
  objection({
    rule: 'secret',
    file: path,
    line,
    what: hashOf([value]).slice(0, 12),
    message: `${what} is in this line; take it out, read it from the environment, and have it replaced: whoever saw it may use it`,
  })
