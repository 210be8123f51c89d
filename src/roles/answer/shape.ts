import { nearest } from '../../std/nearest.ts'
import { plainText } from '../../std/text/plain-text.ts'
import { givenTwice } from './relaxed-json.ts'

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

/** Text without what hides or reorders it, and without space around it. */
export function text({ least, most }: { least: number; most: number }): Shape<string> {
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
export function cutText({ least, most }: { least: number; most: number }): Shape<string> {
  const whole = text({ least, most })
  return {
    ...whole,
    read: (value, path, problems) => whole.read(isWord(value) ? cutTo(clean(value), most) : value, path, problems),
  }
}

const cutTo = (value: string, most: number): string =>
  value.length <= most ? value : `${value.slice(0, most - 2).trimEnd()} …`

export function oneOf<const Value extends string | number>(values: readonly Value[]): Shape<Value> {
  // Numbers are as good as their digits, and not every service takes a list of numbers.
  const schema = { type: 'string', enum: values.map(String) }
  return leaf({ allowed: `one of ${values.join(', ')}`, schema, blank: '' }, (value) =>
    isWord(value) ? values.find((one) => String(one) === String(value).trim()) : undefined,
  )
}

export function whole({ from, to }: { from: number; to: number }): Shape<number> {
  const schema = { type: 'integer', minimum: from, maximum: to }
  return leaf({ allowed: `a whole number from ${from} to ${to}`, schema, blank: null }, (value) => {
    const number = isWord(value) && String(value).trim() !== '' ? Number(value) : Number.NaN
    return Number.isInteger(number) && number >= from && number <= to ? number : undefined
  })
}

export function flag(): Shape<boolean> {
  return leaf({ allowed: 'true or false', schema: { type: 'boolean' }, blank: null }, (value) =>
    typeof value === 'boolean' ? value : undefined,
  )
}

/** The same, also where it is said in a word. */
export function spokenFlag(): Shape<boolean> {
  const { read, ...shape } = flag()
  return {
    ...shape,
    read: (value, path, problems) =>
      (isWord(value) ? spoken.get(firstWord(value)) : undefined) ?? read(value, path, problems),
  }
}

/** What is said, without a reason after it. */
const firstWord = (value: string | number): string =>
  String(value)
    .trim()
    .toLowerCase()
    .replace(/\s*[,;:.(–—].*$/s, '')

/** What plainly means one of the two. */
const spoken = new Map([
  ...['true', 'yes', 'y', '1'].map((word) => [word, true] as const),
  ...['false', 'no', 'n', '0'].map((word) => [word, false] as const),
])

const isWord = (value: unknown): value is string | number => typeof value === 'string' || typeof value === 'number'

function leaf<Value>(
  { allowed, schema, blank }: { allowed: string; schema: Schema; blank: unknown },
  accepted: (value: unknown) => Value | undefined,
): Shape<Value> {
  return {
    ...{ allowed, schema, blank },
    required: true,
    places: (path) => [`${path}: ${allowed}`],
    read: (value, path, problems) => accepted(value) ?? unfit(value, path, { allowed, problems }),
  }
}

/** What a process that takes answers must know of a contract. */
export interface Submission {
  name: string
  rivals: 'last' | 'none'
  /** What is said about the tool to whoever may call it. */
  tool: { name: string; description: string; inputSchema: Schema }
}

const toolName = 'submit_answer'

/** Beside the result file, for the program that takes answers. */
export const submissionFile = (resultFile: string): string => `${resultFile}.contract`

export const submissionOf = ({
  name,
  rivals,
  shape,
}: Pick<Submission, 'name' | 'rivals'> & { shape: Shape<unknown> }): Submission => ({
  name,
  rivals,
  tool: {
    name: toolName,
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
  if (type === 'object' && isRecord(properties)) return recordFrom(properties, required)
  if (type === 'array') return list(shapeFrom(items as Schema), { most: Number(schema.maxItems) })
  if (type === 'boolean') return flag()
  if (type === 'integer') return whole({ from: Number(schema.minimum), to: Number(schema.maximum) })
  if (Array.isArray(words)) return oneOf(words.map(String))
  return text({ least: Number(schema.minLength), most: Number(schema.maxLength) })
}

function recordFrom(properties: Record<string, unknown>, required: unknown): Shape<unknown> {
  const needed = Array.isArray(required) ? required : []
  const fields = Object.entries(properties).map(([key, schema]) => {
    const shape = shapeFrom(schema as Schema)
    return [key, needed.includes(key) ? shape : optional(shape, null)] as const
  })
  return record(Object.fromEntries(fields))
}
