// Secrets are taken out at one point: where what a child prints comes into our own files, before it is written there.

import { hidden, openStream, type Rules } from './stream.ts'

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
