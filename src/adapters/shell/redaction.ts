// Secrets are taken out at one point: where what a child prints comes into our own files, before it is written there.

export const hidden = '[redacted]'

const shortestSecret = 8
const secretName =
  /TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL|PRIVATE|AUTH|(?:^|_)(?:API_?)?KEYS?(?:_|$)|(?:^|_)PWD?$/i
const notSecret = /^(?:PWD|OLDPWD|SSH_AUTH_SOCK|.*_AUTH_SOCK)$/

/** What secrets look like that we were not told about. */
const shapes = [
  String.raw`\bsk-[\w-]{16,}`,
  String.raw`\b(?:sk|rk)_(?:live|test)_\w{16,}`,
  String.raw`\b(?:hf|gsk|r8)_[A-Za-z0-9]{20,}`,
  String.raw`\b(?:xai|pplx)-[A-Za-z0-9]{20,}`,
  String.raw`\bya29\.[\w-]{20,}`,
  String.raw`\bgh[pousr]_[A-Za-z0-9]{20,}`,
  String.raw`\bgithub_pat_\w{20,}`,
  String.raw`\bglpat-[\w-]{16,}`,
  String.raw`\bnpm_[A-Za-z0-9]{36}`,
  String.raw`\b(?:AKIA|ASIA)[0-9A-Z]{16}\b`,
  String.raw`\bAIza[\w-]{35,}`,
  String.raw`\bxox[a-z]-[\w-]{10,}`,
  String.raw`(?<![\w-])eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*`,
  String.raw`\b[Bb]earer +[\w.~+/-]{16,}=*`,
  '-----BEGIN [A-Z ]*PRIVATE KEY-----[^]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)',
]

/** Also one within a JSON text within a JSON text. */
const quote = String.raw`(?:\\{0,7}["'])?`

/** What only its surroundings give away; those are kept, the name of a header or the beginning of an address. */
const surrounded = [
  String.raw`\b((?:[Aa]uthorization|[Xx]-(?:[Gg]oog-)?[Aa]pi-[Kk]ey)${quote}[:=] ?${quote}(?:(?:[Bb]asic|[Tt]oken) )?)[\w.~+/-]{12,}=*`,
  String.raw`(://)[^\0- /:@'"]{0,200}:[^\0- /@'"]{1,200}(?=@)`,
]

/** Takes these secrets, and all that looks like one, out of a text. Give it whole lines: a secret cut in two is not seen. */
export function redactor(secrets: string[]): (text: string) => string {
  const { pattern } = rulesFor(secrets)
  return (text) => text.replace(pattern, `$1$2${hidden}`)
}

function rulesFor(secrets: string[]): Rules {
  const known = secrets.filter((secret) => secret.length >= shortestSecret).sort((a, b) => b.length - a.length)
  const pattern = new RegExp([...known.map(escaped), ...shapes, ...surrounded].join('|'), 'g')
  return { pattern, spanning: known.filter((secret) => secret.includes('\n')) }
}

/** The values of the variables whose names say that they are secret. */
export function secretsIn(environment: Record<string, string | undefined>): string[] {
  return Object.entries(environment).flatMap(([name, value]) =>
    value !== undefined && value.length >= shortestSecret && secretName.test(name) && !notSecret.test(name)
      ? [value]
      : [],
  )
}

/** Settings in a file: `NAME=value`, `name: value`, `"name": "value"`. */
const setting = /^[ \t]*(?:export[ \t]+)?["']?([\w.-]+)["']?[ \t]*[:=][ \t]*(.*?)[ \t]*,?[ \t]*$/gm

export type Redactor = ReturnType<typeof openRedactor>

/** One that can be taught more. */
export function openRedactor(environment: Record<string, string | undefined>) {
  const known = new Set(secretsIn(environment))
  let redact = redactor([...known])
  let ofBytes = rulesFor([...known].map(asBytes))
  return {
    redact: (text: string): string => redact(text),
    /** For what is printed little by little. */
    stream: () => openStream(() => ofBytes),
    learn(text: string): void {
      const settings = [...text.matchAll(setting)].map(([, name = '', value = '']) => [
        name,
        value.replace(/^(["'])(.*)\1$/, '$2'),
      ])
      const found = secretsIn(Object.fromEntries(settings)).filter((secret) => !known.has(secret))
      if (found.length === 0) return
      for (const secret of found) known.add(secret)
      redact = redactor([...known])
      ofBytes = rulesFor([...known].map(asBytes))
    },
  }
}

const asBytes = (text: string): string => Buffer.from(text).toString('latin1')

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')

/** What is taken out of a text: matches of the pattern, but for what its groups keep. */
interface Rules {
  pattern: RegExp
  /** Known secrets of several lines. */
  spanning: string[]
}

/** A line is held until its end, but no more of it than this. */
const longestHeld = 64 * 1024
/** No secret but a block is longer: one that began before it is whole. */
const longestSecret = 16 * 1024

/** Takes secrets out of bytes as they come, wherever they are cut. What may be the beginning of one is held back. */
export function openStream(rules: () => Rules) {
  let held = ''
  return {
    // Each byte is a character here, so that what is no text stays as it is.
    add(chunk: Buffer): Buffer {
      const text = chunk.toString('latin1')
      held += text
      if (!text.includes('\n') && held.length < longestHeld) return Buffer.alloc(0)
      const secrets = foundIn(held, rules())
      const cut = cutIn(held, secrets, rules())
      const told = without(held.slice(0, cut), secrets)
      held = held.slice(cut)
      return told
    },
    end(): Buffer {
      const told = without(held, foundIn(held, rules()))
      held = ''
      return told
    },
  }
}

interface FoundSecret {
  from: number
  to: number
  kept: string
}

const foundIn = (text: string, { pattern }: Rules): FoundSecret[] =>
  [...text.matchAll(pattern)].map((match) => ({
    from: match.index,
    to: match.index + match[0].length,
    kept: match[1] ?? match[2] ?? '',
  }))

function without(text: string, secrets: FoundSecret[]): Buffer {
  const told: string[] = []
  let at = 0
  for (const { from, to, kept } of secrets) {
    if (from >= text.length) break
    told.push(text.slice(at, from), kept, hidden)
    at = to
  }
  return Buffer.from([...told, text.slice(at)].join(''), 'latin1')
}

/** After the last whole line that no secret goes beyond; where too much is held, anywhere but within a secret. */
function cutIn(text: string, secrets: FoundSecret[], { spanning }: Rules): number {
  let cut = text.lastIndexOf('\n') + 1
  for (let lower = cut; cut > 0; cut = lower) {
    lower = Math.min(goesBeyond(cut, secrets, text)?.from ?? cut, begunBefore(cut, spanning, text))
    if (lower === cut) return cut
    lower = lower === 0 ? 0 : text.lastIndexOf('\n', lower - 1) + 1
  }
  if (text.length < longestHeld) return 0
  const anywhere = text.length - longestSecret
  const torn = goesBeyond(anywhere, secrets, text)
  return torn === undefined ? anywhere : torn.from > 0 ? torn.from : torn.to
}

/** One that ends with the text may go on in what comes. */
const goesBeyond = (cut: number, secrets: FoundSecret[], text: string): FoundSecret | undefined =>
  secrets.find(({ from, to }) => from < cut && (to > cut || to === text.length))

/** Where the first begins that may be a secret when more has come. */
function begunBefore(cut: number, spanning: string[], text: string): number {
  const begun = spanning.flatMap((secret) => {
    for (let at = Math.max(0, cut - secret.length + 1); at < cut; at++)
      if (secret.startsWith(text.slice(at, at + secret.length))) return [at]
    return []
  })
  return Math.min(cut, ...begun)
}
