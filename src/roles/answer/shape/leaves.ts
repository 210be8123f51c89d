import { plainText } from '../../../std/text/plain-text.ts'
import { type Schema, type Shape, unfit } from './shape.ts'

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
