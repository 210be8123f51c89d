import { nearest } from '../../std/nearest.ts'
import { plainText } from '../../std/text/plain-text.ts'
import { givenTwice } from './relaxed-json.ts'

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

export interface RecordShape<Value> extends Shape<Value> {
  fields: Record<string, Shape<unknown>>
}

type Schema = { type: string } & Record<string, unknown>
type ValueOf<Given> = Given extends Shape<infer Value> ? Value : never

/** These fields. Others are left out, unless one looks like a slip of the pen. */
export function record<Fields extends Record<string, Shape<unknown>>>(
  fields: Fields,
): RecordShape<{ [Key in keyof Fields]: ValueOf<Fields[Key]> }> {
  const entries = Object.entries(fields)
  const keys = Object.keys(fields)
  const allowed = `an object with the keys ${keys.join(', ')}`
  const each = (of: (shape: Shape<unknown>) => unknown) =>
    Object.fromEntries(entries.map(([key, shape]) => [key, of(shape)]))
  return {
    ...{ fields, allowed, required: true },
    schema: {
      type: 'object',
      properties: each(({ schema }) => schema),
      required: keys.filter((key) => fields[key]!.required),
    },
    blank: each(({ blank }) => blank),
    places: (path) => entries.flatMap(([key, shape]) => shape.places(below(path, key))),
    read: (value, path, problems) => {
      if (!isRecord(value)) return unfit(value, path, { allowed, problems })
      problems.push(...slips(value, keys).map((slip) => (path === '' ? slip : `${path}: ${slip}`)))
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
  const shortened = (all: unknown[]): unknown[] => {
    if (cut === undefined || all.length <= most) return all
    const room = most - cut(0).length
    return [...all.slice(0, room), ...cut(all.length - room)]
  }
  return {
    ...{ allowed, required: true, blank: [of.blank] },
    schema: { type: 'array', items: of.schema, maxItems: most },
    places: (path) => [`${path}: ${allowed}`, ...of.places(`${path}[]`)],
    read: (value, path, problems) => {
      const all = typeof value === 'string' ? [value] : value
      const items = Array.isArray(all) ? shortened(all) : null
      if (items === null || items.length > most) return unfit(value, path, { allowed, problems })
      return items.map((item, index) => of.read(item, `${path}[${index}]`, problems))
    },
  }
}

/** The same, of what somebody makes of the value before it is read. */
export const readAfter = <Given extends Shape<unknown>>(
  shape: Given,
  prepared: (value: unknown) => unknown,
): Given => ({
  ...shape,
  read: (value: unknown, path: string, problems: string[]) => shape.read(prepared(value), path, problems),
})

/** A text alone is what this field says. */
export const saidAs = <Value>(key: string, shape: Shape<Value>): Shape<Value> =>
  readAfter(shape, (value) => (typeof value === 'string' ? { [key]: value } : value))

/** It may be left out, or be null. */
export const optional = <Value, Default extends Value | null>(
  shape: Shape<Value>,
  otherwise: Default,
): Shape<Value | Default> => ({
  ...{ allowed: shape.allowed, schema: shape.schema, required: false, blank: otherwise },
  places: (path) => shape.places(path).map((place, index) => (index === 0 ? `${place}; may be left out` : place)),
  read: (value, path, problems) =>
    value === undefined || value === null ? structuredClone(otherwise) : shape.read(value, path, problems),
})

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

export const below = (path: string, key: string): string => (path === '' ? key : `${path}.${key}`)

/** Keys that are not known, but nearly one that is missing. */
function slips(value: object, keys: string[]): string[] {
  const missing = keys.filter((key) => !Object.hasOwn(value, key))
  const unknown = missing.length === 0 ? [] : Object.keys(value).filter((key) => !keys.includes(key))
  return unknown.slice(0, 10).flatMap((key) => {
    const meant = nearest(key, missing)
    return meant === null ? [] : [`unknown key ${JSON.stringify(key)}, did you mean ${meant}?`]
  })
}

/** Says that a value does not fit: where, what it is, what is allowed. */
function unfit(value: unknown, path: string, { allowed, problems }: { allowed: string; problems: string[] }): never {
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

function leaf<Value>(
  given: Pick<Shape<Value>, 'allowed' | 'schema' | 'blank'>,
  accepted: (value: unknown) => Value | undefined,
): Shape<Value> {
  const { allowed } = given
  return {
    ...{ ...given, required: true },
    places: (path) => [`${path}: ${allowed}`],
    read: (value, path, problems) => accepted(value) ?? unfit(value, path, { allowed, problems }),
  }
}

const isWord = (value: unknown): value is string | number => typeof value === 'string' || typeof value === 'number'

/** Text without what hides or reorders it, and without space around it. */
export function text(least: number, most: number): Shape<string> {
  const schema = { type: 'string', minLength: least, maxLength: most }
  return leaf({ allowed: `text of ${least} to ${most} characters`, schema, blank: '' }, (value) => {
    if (!isWord(value)) return undefined
    const read = clean(value)
    return read.length >= least && read.length <= most ? read : undefined
  })
}

const clean = (value: string | number): string =>
  plainText(String(value))
    .replace(/\p{Surrogate}/gu, '\ufffd')
    .trim()

/** Text that is cut, with a mark, where it is longer. */
export const cutText = (least: number, most: number): Shape<string> =>
  readAfter(text(least, most), (value) => {
    const read = isWord(value) ? clean(value) : ''
    return read.length <= most ? value : `${read.slice(0, most - 2).trimEnd()} …`
  })

export function oneOf<const Value extends string | number>(values: readonly Value[]): Shape<Value> {
  // Numbers are as good as their digits, and not every service takes a list of numbers.
  const schema = { type: 'string', enum: values.map(String) }
  return leaf({ allowed: `one of ${values.join(', ')}`, schema, blank: '' }, (value) =>
    isWord(value) ? values.find((one) => String(one) === String(value).trim()) : undefined,
  )
}

export function whole(from: number, to: number): Shape<number> {
  const schema = { type: 'integer', minimum: from, maximum: to }
  return leaf({ allowed: `a whole number from ${from} to ${to}`, schema, blank: null }, (value) => {
    const number = isWord(value) && String(value).trim() !== '' ? Number(value) : Number.NaN
    return Number.isInteger(number) && number >= from && number <= to ? number : undefined
  })
}

export const flag = (): Shape<boolean> =>
  leaf({ allowed: 'true or false', schema: { type: 'boolean' }, blank: null }, (value) =>
    typeof value === 'boolean' ? value : undefined,
  )

/** The same, also where it is said in a word, with or without a reason after it. */
export const spokenFlag = (): Shape<boolean> =>
  readAfter(flag(), (value) => {
    const word = isWord(value)
      ? String(value)
          .trim()
          .toLowerCase()
          .replace(/\s*[,;:.(–—].*$/s, '')
      : ''
    if (['true', 'yes', 'y', '1'].includes(word)) return true
    return ['false', 'no', 'n', '0'].includes(word) ? false : value
  })

/** What a process that takes answers must know of a contract. */
export interface Submission {
  name: string
  rivals: 'last' | 'none'
  /** What is said about the tool to whoever may call it. */
  tool: { name: string; description: string; inputSchema: Schema }
}

/** Beside the result file, for the program that takes answers. */
export const submissionFile = (resultFile: string): string => `${resultFile}.contract`

type Submitted = Pick<Submission, 'name' | 'rivals'> & { shape: Shape<unknown> }

export const submissionOf = ({ name, rivals, shape }: Submitted): Submission => ({
  ...{ name, rivals },
  tool: {
    name: 'submit_answer',
    description: `Gives your ${name}, at the end of your work, instead of writing it to the file named by ROPEWALK_RESULT. You are told at once when it does not do.`,
    inputSchema: shape.schema,
  },
})

/** What is wrong with an answer by its shape; what its fields say against each other is seen later. */
export function problemsIn({ tool }: Submission, answer: unknown): string[] {
  const problems: string[] = []
  shapeFrom(tool.inputSchema).read(answer, '', problems)
  return problems.slice(0, 20)
}

/** The shape whose schema this is, so that another process finds the same faults. */
function shapeFrom(schema: Schema): Shape<unknown> {
  const { type, properties, required, items, enum: words } = schema
  if (type === 'object' && isRecord(properties)) {
    const needed = Array.isArray(required) ? required : []
    const fields = Object.entries(properties).map(([key, of]) => {
      const shape = shapeFrom(of as Schema)
      return [key, needed.includes(key) ? shape : optional(shape, null)] as const
    })
    return record(Object.fromEntries(fields))
  }
  if (type === 'array') return list(shapeFrom(items as Schema), { most: Number(schema.maxItems) })
  if (type === 'boolean') return flag()
  if (type === 'integer') return whole(Number(schema.minimum), Number(schema.maximum))
  return Array.isArray(words) ? oneOf(words.map(String)) : text(Number(schema.minLength), Number(schema.maxLength))
}
