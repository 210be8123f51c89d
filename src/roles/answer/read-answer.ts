import { plainText } from '../../std/text/plain-text.ts'
import { type Contract, fitting, type RoleAnswer } from './contract.ts'
import { type Container, type JsonReading, readContainer } from './relaxed-json.ts'
import { below, isRecord } from './shape.ts'

/** What an agent has written: its result file, if there is one, and the last words of its turn. */
export interface Written {
  file: string | null
  text: string
}

/** The typed answer in what an agent has written. Only JSON that fits the contract is one; prose never is. */
export function readAnswer<Value>(contract: Contract<Value>, written: Written): RoleAnswer<Value> {
  const all = [...foundIn(contract, written.text), ...(written.file === null ? [] : foundIn(contract, written.file))]
  const example = JSON.stringify(fitting(contract, contract.example).value)
  const given = all.filter(({ value }) => value === null || JSON.stringify(value) !== example)
  const chosen = given.findLast(({ fit }) => fit === 'whole') ?? given.findLast(({ fit }) => fit === 'cut')
  if (chosen !== undefined) return againstRivals(contract, chosen, given)
  const instead = all.length > 0 ? ', only the example' : `; allowed: JSON, ${contract.shape.allowed}`
  return fallback(given.at(-1)?.problems ?? [`there is no ${contract.name} in the answer${instead}`])
}

function againstRivals<Value>(
  contract: Contract<Value>,
  chosen: FoundAnswer<Value>,
  given: FoundAnswer<Value>[],
): RoleAnswer<Value> {
  const others = given.filter((one) => one !== chosen)
  const said = others.map((other) => contradiction(contract, other, chosen)).filter((text) => text !== null)
  const rivals = [...new Set(said)].slice(0, 5)
  if (rivals.length > 0 && contract.rivals === 'none') return fallback([...rivals, `give one ${contract.name} only`])
  const problems = [...chosen.problems, ...rivals]
  const value = chosen.value as Value
  return problems.length === 0 ? { quality: 'full', value, problems: [] } : { quality: 'partial', value, problems }
}

const fallback = (problems: string[]): RoleAnswer<never> => ({ quality: 'fallback', value: null, problems })

/** In what another answer says otherwise than the chosen one, or null when it does not. */
function contradiction<Value>(
  { name }: Contract<Value>,
  other: FoundAnswer<Value>,
  chosen: FoundAnswer<Value>,
): string | null {
  const again = `the ${name} is given more than once, and`
  if (other.fit !== 'whole' || chosen.fit !== 'whole')
    return agrees(other, chosen.value as object) ? null : `${again} not each time whole: ${other.problems[0]}`
  const difference = firstDifference(other.value, chosen.value, '')
  return difference === null ? null : `${again} they differ: ${difference}`
}

function firstDifference(one: unknown, last: unknown, path: string): string | null {
  if (Object.is(one, last)) return null
  if (!isComposed(one) || !isComposed(last)) return `${path} is ${shown(one)} in one and ${shown(last)} in the last`
  for (const key of Object.keys({ ...one, ...last })) {
    const difference = firstDifference(one[key], last[key], Array.isArray(last) ? `${path}[${key}]` : below(path, key))
    if (difference !== null) return difference
  }
  return null
}

const isComposed = (value: unknown): value is Record<string, unknown> => value !== null && typeof value === 'object'

const shown = (value: unknown): string => (value === undefined ? 'not there' : JSON.stringify(value).slice(0, 80))

/** Whether what does not fit only mentions the same: at least one word of it, and nothing else or more. */
function agrees({ raw, isWhole }: FoundAnswer<unknown>, chosen: object): boolean {
  const held = new Map(Object.entries(chosen))
  const known = Object.entries(raw).filter(([key]) => held.has(key))
  const same = known.map(([key, value]) => {
    const own = held.get(key)
    if (!Array.isArray(value) || !Array.isArray(own)) return Object.is(value, own)
    return isWhole ? value.length <= own.length : value.length < own.length
  })
  return same.every(Boolean) && known.some(([, value]) => !isComposed(value))
}

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
  ...{ fit: 'none', value: null, raw: {}, isWhole: false },
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
  // No more than a bracket in prose.
  if (Object.keys(value).length === 0) return firstFrom(opening, text, mayLookAgain ? start + 1 : end)
  if (status === 'cut') return firstFrom(opening, text, end)
  // Where something unreadable ends nobody can tell, and what belongs to it is no answer: the next one begins a line.
  const even = mayLookAgain ? evenEnd(text, start) : null
  budget.left -= (even ?? text.length) - start
  return firstFrom(lineOpening, text, Math.max(end, even ?? 0))
}

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
