import { plainText } from '../../std/text/plain-text.ts'
import { type Contract, fitting } from './contract.ts'
import { type Container, type JsonReading, readContainer } from './relaxed-json.ts'
import { isRecord } from './shape.ts'

/** Something that was meant as an answer, as far as one can tell. */
export interface FoundAnswer<Value> {
  /** Whether it can be used: as it is, as far as it goes, or not. */
  fit: 'whole' | 'cut' | 'none'
  /** Null when it cannot. */
  value: Value | null
  /** What was read, before the contract. */
  raw: Record<string, unknown>
  isWhole: boolean
  problems: string[]
}

const longest = 4_000_000
const most = 100

/** In the order in which they were written. */
export function foundIn<Value>(contract: Contract<Value>, written: string): FoundAnswer<Value>[] {
  if (written.length > longest)
    return [unread(`is ${(written.length / 1e6).toFixed(1)} MB long`, `${longest / 1e6} MB`)]
  const text = plainText(written)
  const { fields } = contract.shape
  const required = [...Object.keys(fields).filter((key) => fields[key]!.required), ...(contract.signs ?? [])]
  const found: (FoundAnswer<Value> & { isBare: boolean })[] = []
  for (const reading of readingsIn(text)) {
    const raw = meant(contract, required, reading.value)
    if (raw === null) continue
    if (found.length === most) return [unread(`gives the ${contract.name} more than ${most} times`, 'once')]
    found.push({ ...weighed(contract, raw, { reading, text }), isBare: Array.isArray(reading.value) })
  }
  // A list is taken for an answer only where nothing else can be meant.
  return found.every(({ isBare }) => isBare) ? found : found.filter(({ isBare }) => !isBare)
}

const unread = (excess: string, allowed: string): FoundAnswer<never> => ({
  fit: 'none',
  value: null,
  raw: {},
  isWhole: false,
  problems: [`the answer ${excess}; allowed: at most ${allowed}`],
})

/** The object that was meant; null when nothing in it is asked for by the contract. */
function meant({ bareList }: Contract<unknown>, required: string[], value: Container): Record<string, unknown> | null {
  if (!Array.isArray(value)) return required.some((key) => key in value) ? value : null
  const isMeant = bareList !== null && value.some((one) => isRecord(one) && bareList.key in one)
  return isMeant ? { [bareList.field]: value } : null
}

function weighed<Value>(
  contract: Contract<Value>,
  raw: Record<string, unknown>,
  { reading, text }: { reading: JsonReading; text: string },
): FoundAnswer<Value> {
  const none = { fit: 'none', value: null, raw, isWhole: reading.status === 'whole' } as const
  if (reading.status === 'broken') return { ...none, problems: [malformed(contract.name, reading, text)] }
  const isCut = reading.status === 'cut'
  if (isCut && contract.cut === 'nothing')
    return { ...none, problems: [`the ${contract.name} was cut off: the answer ends in the middle of it`] }
  const { value, problems } = fitting(contract, raw)
  if (value === null) return { ...none, problems }
  const loss = `the ${contract.name} was cut off: what is here may not be all of it`
  return isCut ? { ...none, fit: 'cut', value, problems: [loss] } : { ...none, fit: 'whole', value, problems: [] }
}

function malformed(name: string, { end, expected }: JsonReading & { status: 'broken' }, text: string): string {
  const [before, found] = [text.slice(Math.max(0, end - 40), end), text.slice(end, end + 20)]
  return `the ${name} is not well-formed JSON: expected ${expected} after ${JSON.stringify(before)}, found ${JSON.stringify(found)}`
}

/** Everything in a text that reads like JSON, in order; never what stands inside another one. */
export function* readingsIn(text: string): Generator<JsonReading> {
  // What was read in vain is looked through again, but only so often: the time stays linear.
  const budget = { left: text.length * 2 }
  let start = firstFrom(opening, text, 0)
  while (start !== null) {
    const reading = readContainer(text, start)
    yield reading
    start = reading.status === 'whole' ? firstFrom(opening, text, reading.end) : afterFailure(text, reading, budget)
  }
}

/** A bracket, and behind it something that can be a key or a value. */
const opening = /\{(?=\s*["'\u2018-\u201f\w$}/#])|\[(?=\s*["'\u2018-\u201f\w{[\]+./#-])/g
const lineOpening = /(?<=\n)[{[]/g

function firstFrom(pattern: RegExp, text: string, from: number): number | null {
  pattern.lastIndex = from
  return pattern.exec(text)?.index ?? null
}

function afterFailure(text: string, reading: JsonReading, budget: { left: number }): number | null {
  const { status, start, end, value } = reading
  const mayLookAgain = budget.left > 0
  budget.left -= end - start
  if (!hasBegun(value)) return firstFrom(opening, text, mayLookAgain ? start + 1 : end)
  if (status === 'cut') return firstFrom(opening, text, end)
  // Where something unreadable ends nobody can tell, and what belongs to it is no answer: the next one begins a line.
  const even = mayLookAgain ? evenEnd(text, start) : null
  budget.left -= (even ?? text.length) - start
  return firstFrom(lineOpening, text, Math.max(end, even ?? 0))
}

/** Whether it is more than a bracket in prose. */
const hasBegun = (value: Container): boolean => Object.keys(value).length > 0

/** Where its brackets are even, whatever is in quotes. */
function evenEnd(text: string, start: number): number | null {
  let depth = 0
  for (let at = start; at < text.length; at++) {
    const char = text[at]!
    if (char === '{' || char === '[') depth++
    else if ((char === '}' || char === ']') && --depth === 0) return at + 1
  }
  return null
}
