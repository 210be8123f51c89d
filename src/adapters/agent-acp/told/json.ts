// Reading JSON that anybody may have written: what is not there, or not what it should be, is null or empty.

export type Json = Record<string, unknown>

export const asObject = (value: unknown): Json | null =>
  value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as Json) : null

/** What is at the end of a path of keys; undefined when the path ends earlier. */
export function at(value: unknown, ...path: string[]): unknown {
  return path.reduce((inner: unknown, key) => asObject(inner)?.[key], value)
}

export const asList = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

export const objectsIn = (value: unknown): Json[] =>
  asList(value)
    .map(asObject)
    .filter((one) => one !== null)

/** Null when it is empty, too. */
export const asText = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

export const asNumber = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) ? value : null

/** A number of tokens: nothing told is none. */
export const asCount = (value: unknown): number => Math.max(0, asNumber(value) ?? 0)

/** The object on a line; null when the line is something else. */
export function objectOn(line: string): Json | null {
  try {
    return asObject(JSON.parse(line))
  } catch {
    return null
  }
}
