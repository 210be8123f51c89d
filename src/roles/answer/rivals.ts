import type { Contract } from './contract.ts'
import type { Found } from './found.ts'
import { below } from './shape/shape.ts'

/** In what another answer says otherwise than the chosen one, or null when it does not. */
export function contradiction<Value>(
  { name }: Contract<Value>,
  other: Found<Value>,
  chosen: Found<Value>,
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
function agrees({ raw, isWhole }: Found<unknown>, chosen: Record<string, unknown>): boolean {
  const known = Object.entries(raw).filter(([key]) => Object.hasOwn(chosen, key))
  const same = known.map(([key, value]) => {
    const held = chosen[key]
    if (!Array.isArray(value) || !Array.isArray(held)) return Object.is(value, held)
    return isWhole ? value.length <= held.length : value.length < held.length
  })
  return same.every(Boolean) && known.some(([, value]) => !isComposed(value))
}
