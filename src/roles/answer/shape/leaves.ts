import { plainText } from '../../../std/text/plain-text.ts'
import { type Shape, unfit } from './shape.ts'

/** Text without what hides or reorders it, and without space around it. */
export function text({ least, most }: { least: number; most: number }): Shape<string> {
  return leaf(`text of ${least} to ${most} characters`, '', (value) => {
    if (!isWord(value)) return undefined
    const clean = plainText(String(value))
      .replace(/\p{Surrogate}/gu, '\ufffd')
      .trim()
    return clean.length >= least && clean.length <= most ? clean : undefined
  })
}

export function oneOf<const Value extends string | number>(values: readonly Value[]): Shape<Value> {
  return leaf(`one of ${values.join(', ')}`, '', (value) =>
    isWord(value) ? values.find((one) => String(one) === String(value).trim()) : undefined,
  )
}

export function whole({ from, to }: { from: number; to: number }): Shape<number> {
  return leaf(`a whole number from ${from} to ${to}`, null, (value) => {
    const number = isWord(value) && String(value).trim() !== '' ? Number(value) : Number.NaN
    return Number.isInteger(number) && number >= from && number <= to ? number : undefined
  })
}

export function flag(): Shape<boolean> {
  return leaf('true or false', null, (value) => (typeof value === 'boolean' ? value : undefined))
}

const isWord = (value: unknown): value is string | number => typeof value === 'string' || typeof value === 'number'

function leaf<Value>(allowed: string, blank: unknown, accepted: (value: unknown) => Value | undefined): Shape<Value> {
  return {
    allowed,
    required: true,
    blank,
    places: (path) => [`${path}: ${allowed}`],
    read: (value, path, problems) => accepted(value) ?? unfit(value, path, { allowed, problems }),
  }
}
