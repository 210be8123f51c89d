import { type Contract, fitting, type RoleAnswer } from './contract.ts'
import { type FoundAnswer, foundIn } from './found.ts'
import { below } from './shape.ts'

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
  if (chosen === undefined) return fallback(given.at(-1)?.problems ?? [absence(contract, all.length)])
  return weighed(contract, chosen, given)
}

const absence = ({ name, shape }: Contract<unknown>, echoes: number): string =>
  echoes > 0
    ? `there is no ${name} in the answer, only the example`
    : `there is no ${name} in the answer; allowed: JSON, ${shape.allowed}`

function weighed<Value>(
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
  if (other.fit === 'whole' && chosen.fit === 'whole') {
    const difference = firstDifference(other.value, chosen.value, '')
    return difference === null ? null : `the ${name} is given more than once, and they differ: ${difference}`
  }
  return agrees(other, chosen.value as Record<string, unknown>)
    ? null
    : `the ${name} is given more than once, and not each time whole: ${other.problems[0]}`
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
function agrees({ raw, isWhole }: FoundAnswer<unknown>, chosen: Record<string, unknown>): boolean {
  const known = Object.entries(raw).filter(([key]) => Object.hasOwn(chosen, key))
  const same = known.map(([key, value]) => {
    const held = chosen[key]
    if (!Array.isArray(value) || !Array.isArray(held)) return Object.is(value, held)
    return isWhole ? value.length <= held.length : value.length < held.length
  })
  return same.every(Boolean) && known.some(([, value]) => !isComposed(value))
}
