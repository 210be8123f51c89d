import { nearest } from '../../../std/nearest.ts'
import { below, type Shape, unfit } from './shape.ts'

export interface RecordShape<Value> extends Shape<Value> {
  fields: Record<string, Shape<unknown>>
}

type ValueOf<Given> = Given extends Shape<infer Value> ? Value : never

/** These fields. Others are left out, unless one looks like a slip of the pen. */
export function record<Fields extends Record<string, Shape<unknown>>>(
  fields: Fields,
): RecordShape<{ [Key in keyof Fields]: ValueOf<Fields[Key]> }> {
  const entries = Object.entries(fields)
  const allowed = `an object with the keys ${Object.keys(fields).join(', ')}`
  return {
    fields,
    allowed,
    required: true,
    schema: {
      type: 'object',
      properties: Object.fromEntries(entries.map(([key, { schema }]) => [key, schema])),
      required: entries.flatMap(([key, { required }]) => (required ? [key] : [])),
    },
    blank: Object.fromEntries(entries.map(([key, { blank }]) => [key, blank])),
    places: (path) => entries.flatMap(([key, shape]) => shape.places(below(path, key))),
    read: (value, path, problems) => {
      if (!isRecord(value)) return unfit(value, path, { allowed, problems })
      problems.push(...slips(value, Object.keys(fields)).map((slip) => (path === '' ? slip : `${path}: ${slip}`)))
      const own = (key: string): unknown => (Object.hasOwn(value, key) ? value[key] : undefined)
      const read = entries.map(([key, shape]) => [key, shape.read(own(key), below(path, key), problems)])
      return Object.fromEntries(read)
    },
  }
}

/** A text alone is a list of one. `cut`: where there are more the first ones do, with what it makes to say so. */
export function list<Value>(
  of: Shape<Value>,
  { most, cut }: { most: number; cut?: (left: number) => unknown[] },
): Shape<Value[]> {
  const allowed = `a list of at most ${most}`
  return {
    allowed,
    required: true,
    schema: { type: 'array', items: of.schema, maxItems: most },
    blank: [of.blank],
    places: (path) => [`${path}: ${allowed}`, ...of.places(`${path}[]`)],
    read: (value, path, problems) => {
      const all = typeof value === 'string' ? [value] : value
      const items = cut !== undefined && Array.isArray(all) && all.length > most ? shortened(all, most, cut) : all
      if (!Array.isArray(items) || items.length > most) return unfit(value, path, { allowed, problems })
      return items.map((item, index) => of.read(item, `${path}[${index}]`, problems))
    },
  }
}

function shortened(all: unknown[], most: number, cut: (left: number) => unknown[]): unknown[] {
  const room = most - cut(0).length
  return [...all.slice(0, room), ...cut(all.length - room)]
}

/** A text alone is what this field says. */
export function saidAs<Value>(key: string, shape: Shape<Value>): Shape<Value> {
  return {
    ...shape,
    read: (value, path, problems) => shape.read(typeof value === 'string' ? { [key]: value } : value, path, problems),
  }
}

/** It may be left out, or be null. */
export function optional<Value, Default extends Value | null>(
  shape: Shape<Value>,
  otherwise: Default,
): Shape<Value | Default> {
  const isAbsent = (value: unknown): boolean => value === undefined || value === null
  return {
    allowed: shape.allowed,
    required: false,
    schema: shape.schema,
    blank: otherwise,
    places: (path) => shape.places(path).map((place, index) => (index === 0 ? `${place}; may be left out` : place)),
    read: (value, path, problems) => (isAbsent(value) ? structuredClone(otherwise) : shape.read(value, path, problems)),
  }
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

/** Keys that are not known, but nearly one that is missing. */
function slips(value: object, keys: string[]): string[] {
  const missing = keys.filter((key) => !Object.hasOwn(value, key))
  const unknown = missing.length === 0 ? [] : Object.keys(value).filter((key) => !keys.includes(key))
  return unknown.slice(0, 10).flatMap((key) => {
    const meant = nearest(key, missing)
    return meant === null ? [] : [`unknown key ${JSON.stringify(key)}, did you mean ${meant}?`]
  })
}
