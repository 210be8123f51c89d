// Pure, fast and stable: for ids and fingerprints, not for security.

/** Sixteen hex digits of a value's canonical JSON. */
export function hashOf(value: unknown): string {
  const text = canonical(value)
  return hex(mix(text, 0x9e3779b9)) + hex(mix(text, 0x85ebca6b))
}

/** JSON with sorted keys, so that equal values give equal text. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null'
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined)
  entries.sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${entries.map(([key, inner]) => `${JSON.stringify(key)}:${canonical(inner)}`).join(',')}}`
}

function mix(text: string, seed: number): number {
  let h = seed ^ text.length
  for (let i = 0; i < text.length; i++) {
    h = Math.imul(h ^ text.charCodeAt(i), 0x5bd1e995)
    h = (h << 13) | (h >>> 19)
  }
  h ^= h >>> 16
  h = Math.imul(h, 0x85ebca6b)
  h ^= h >>> 13
  h = Math.imul(h, 0xc2b2ae35)
  return (h ^ (h >>> 16)) >>> 0
}

const hex = (n: number): string => n.toString(16).padStart(8, '0')
