// What the rules about tests look at, whoever read it: by structure where a grammar is there, by lines elsewhere.
import type { Change } from '../change.ts'
import type { Language } from './test-file.ts'

/** How much an assertion claims: 0 nothing (it holds whatever the code does), 1 something is there, 2 a part, 3 all. */
export interface Assertion {
  /** As written, without spacing. */
  text: string
  weight: 0 | 1 | 2 | 3
  /** Strings, numbers and words like `true` in it, as written, without what it says when it fails. */
  literals: string[]
  /** The same of what its names stand for: what the code was given. */
  inputs: string[]
  /** What it is about, without spacing and with local names resolved; empty where only a structure would tell. */
  subjects: string[]
  line: number
}

export interface Facts {
  /** What is claimed on the way through, as far as it is reached. */
  assertions: Assertion[]
  /** How many assertions depend on a condition, or come too late. */
  guarded: number
  /** How many failures are caught and come to nothing. */
  swallowed: number
  /** How many returns and jumps leave assertions out. */
  earlyReturns: number
  /** Rows of the tables it runs over, without spacing. */
  rows: string[]
  /** How many calls it makes at all. */
  calls: number
}

/** A piece of code, and the same with comments and the insides of strings blanked. */
export interface Passage {
  name: string
  text: string
  masked: string
  language: Language
}

/** One test, or a suite of them. */
export interface Case extends Passage {
  kind: 'test' | 'suite'
  start: number
  end: number
  line: number
  /** How many blocks that are neither suites nor loops it stands in. */
  buried: number
  facts: Facts
}

export interface TestFile {
  text: string
  masked: string
  language: Language
  cases: Case[]
  /** What is outside every test, as if it were one: setups, plain scripts, shared assertions. */
  rest: Case
}

/** A changed file with tests, both sides read. */
export interface TestChange {
  change: Change
  before: TestFile | null
  after: TestFile | null
  /** The tests are among the product's code, which is not ours to judge. */
  inline: boolean
}

/** Tests within a test are part of it. */
export function testsOf(file: TestFile | null): Case[] {
  const tests: Case[] = []
  for (const one of file?.cases ?? []) if (one.kind === 'test' && one.start >= (tests.at(-1)?.end ?? 0)) tests.push(one)
  return tests
}

/** Line numbers by place, without counting from the start each time. */
export function lineCounter(text: string): (offset: number) => number {
  const starts = [...text.matchAll(/\n/g)].map((found) => found.index)
  return (offset) => {
    let [low, high] = [0, starts.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (starts[middle]! < offset) low = middle + 1
      else high = middle
    }
    return low + 1
  }
}
