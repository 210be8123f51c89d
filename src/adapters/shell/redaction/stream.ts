/** What is taken out of a text: matches of the pattern, but for what its groups keep. */
export interface Rules {
  pattern: RegExp
  /** Known secrets of several lines. */
  spanning: string[]
}

export const hidden = '[redacted]'

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
      const secrets = secretsIn(held, rules())
      const cut = cutIn(held, secrets, rules())
      const told = without(held.slice(0, cut), secrets)
      held = held.slice(cut)
      return told
    },
    end(): Buffer {
      const told = without(held, secretsIn(held, rules()))
      held = ''
      return told
    },
  }
}

interface Secret {
  from: number
  to: number
  kept: string
}

const secretsIn = (text: string, { pattern }: Rules): Secret[] =>
  [...text.matchAll(pattern)].map((match) => ({
    from: match.index,
    to: match.index + match[0].length,
    kept: match[1] ?? match[2] ?? '',
  }))

function without(text: string, secrets: Secret[]): Buffer {
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
function cutIn(text: string, secrets: Secret[], { spanning }: Rules): number {
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
const goesBeyond = (cut: number, secrets: Secret[], text: string): Secret | undefined =>
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
