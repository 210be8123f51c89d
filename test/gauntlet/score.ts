// Whose turn it is, and how it ended, by mechanism.
import type { Mechanism } from './case.ts'

export type End = 'caught' | 'escaped' | 'passed' | 'blocked' | 'invalid'

export interface Score {
  add(mechanism: Mechanism, end: End): void
  count(end: End): number
  /** A line for each mechanism, and one for all. */
  lines(): string[]
}

export function openScore(): Score {
  const ends = new Map<Mechanism, Record<End, number>>()
  const count = (end: End): number => [...ends.values()].reduce((sum, one) => sum + one[end], 0)
  const line = (name: string, of: (end: End) => number): string => {
    const left = of('invalid') === 0 ? '' : `, left out ${of('invalid')}`
    return `${name}: caught ${of('caught')}, escaped ${of('escaped')}, passed ${of('passed')}, blocked ${of('blocked')}${left}`
  }
  return {
    add(mechanism, end) {
      const one = ends.get(mechanism) ?? { caught: 0, escaped: 0, passed: 0, blocked: 0, invalid: 0 }
      one[end] += 1
      ends.set(mechanism, one)
    },
    count,
    lines: () => [...[...ends].map(([name, one]) => line(name, (end) => one[end])), line('all', count)],
  }
}

let free = 2
const waiting: (() => void)[] = []

/** The machine is shared with other tests: two at once, whatever the runner would start. */
export async function inTurn<T>(act: () => Promise<T>): Promise<T> {
  if (free > 0) free -= 1
  else await new Promise<void>((begin) => waiting.push(begin))
  try {
    return await act()
  } finally {
    const begin = waiting.shift()
    if (begin === undefined) free += 1
    else begin()
  }
}
