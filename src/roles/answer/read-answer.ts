import type { Answer, Contract } from './contract.ts'
import { fitting } from './contract.ts'
import { type Found, foundIn } from './found.ts'
import { contradiction } from './rivals.ts'

/** What an agent has written: its result file, if there is one, and the last words of its turn. */
export interface Written {
  file: string | null
  text: string
}

/** The typed answer in what an agent has written. Only JSON that fits the contract is one; prose never is. */
export function readAnswer<Value>(contract: Contract<Value>, written: Written): Answer<Value> {
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

function weighed<Value>(contract: Contract<Value>, chosen: Found<Value>, given: Found<Value>[]): Answer<Value> {
  const others = given.filter((one) => one !== chosen)
  const said = others.map((other) => contradiction(contract, other, chosen)).filter((text) => text !== null)
  const rivals = [...new Set(said)].slice(0, 5)
  if (rivals.length > 0 && contract.rivals === 'none') return fallback([...rivals, `give one ${contract.name} only`])
  const problems = [...chosen.problems, ...rivals]
  const value = chosen.value as Value
  return problems.length === 0 ? { quality: 'full', value, problems: [] } : { quality: 'partial', value, problems }
}

const fallback = (problems: string[]): Answer<never> => ({ quality: 'fallback', value: null, problems })
