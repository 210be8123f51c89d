import { givenTwice } from '../json/relaxed.ts'

/** What may stand at one place of an answer. */
export interface Shape<Value> {
  /** In words. */
  allowed: string
  /** False: it may be left out. */
  required: boolean
  /** What to show where it is to be filled in. */
  blank: unknown
  /** The same for machines, as JSON Schema; only what every model API understands. */
  schema: Schema
  /** Each place in it with what is allowed there. */
  places: (path: string) => string[]
  /** The value, cleaned. What is wrong is added to the problems, and then the value means nothing. */
  read: (value: unknown, path: string, problems: string[]) => Value
}

export type Schema = { type: string } & Record<string, unknown>

export const below = (path: string, key: string): string => (path === '' ? key : `${path}.${key}`)

/** Says that a value does not fit: where, what it is, what is allowed. */
export function unfit(
  value: unknown,
  path: string,
  { allowed, problems }: { allowed: string; problems: string[] },
): never {
  problems.push(`${path === '' ? 'the answer' : path} ${shown(value)}; allowed: ${allowed}`)
  return undefined as never
}

const longestShown = 80

function shown(value: unknown): string {
  if (value === undefined || value === null) return 'is missing'
  if (value === givenTwice) return 'is given twice'
  if (Array.isArray(value) && value.length > 20) return `has ${value.length} elements`
  const text = JSON.stringify(typeof value === 'string' ? value.slice(0, longestShown) : value)
  if (text.length <= longestShown) return `is ${text}`
  return `is ${text.slice(0, longestShown)}…${typeof value === 'string' ? ` (${value.length} characters)` : ''}`
}
