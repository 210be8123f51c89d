// JSON that anybody may have written.

/** Null when it is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** The value itself where it has keys, else an empty map. */
export const objectOf = (value: unknown): Record<string, unknown> =>
  value !== null && typeof value === 'object' ? (value as Record<string, unknown>) : {}

export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
