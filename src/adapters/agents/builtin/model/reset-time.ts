// When a limit is lifted, as the model APIs tell it in their headers or, one of them, in the error itself.

type Headers = Record<string, string>

export function resetTime(headers: Headers, body: string, now: number): number | null {
  const after = headers['retry-after-ms'] !== undefined ? `${headers['retry-after-ms']}ms` : headers['retry-after']
  const told = after === undefined ? null : instant(after, now)
  if (told !== null) return told
  const delay = /"retryDelay"\s*:\s*"([\d.]+s)"/.exec(body)?.[1]
  if (delay !== undefined) return instant(delay, now)
  const resets = Object.entries(headers)
    .filter(([name]) => /^(?:anthropic-ratelimit-.*-reset|x-ratelimit-reset(?:-.*)?)$/.test(name))
    // A limit with something left is not the one that was hit.
    .filter(([name]) => !(Number(headers[name.replace('reset', 'remaining')] ?? 0) > 0))
    .map(([, text]) => instant(text, now) ?? 0)
  const latest = Math.max(0, ...resets)
  return latest === 0 ? null : latest
}

/** A time, seconds since 1970 or from now, or a length such as `6m0s`. */
function instant(text: string, now: number): number | null {
  const value = text.trim()
  if (/^\d+(?:\.\d+)?$/.test(value)) return fromNumber(Number(value), now)
  const pieces = [...value.matchAll(/(\d+(?:\.\d+)?)(ms|[dhms])/g)]
  if (pieces.length > 0 && pieces.map(([piece]) => piece).join('') === value)
    return now + pieces.reduce((sum, [, amount, unit]) => sum + Number(amount) * unitMs[unit!]!, 0)
  const at = Date.parse(value)
  return Number.isNaN(at) ? null : at
}

const unitMs: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

function fromNumber(value: number, now: number): number {
  if (value > 1e12) return value
  return value > 1e9 ? value * 1000 : now + value * 1000
}
