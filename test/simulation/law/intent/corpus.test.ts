import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { wordDifferences } from '../../../../src/delivery/intent/deciding/compare.ts'
import type { Example, StructuredReading, TriedExample } from '../../../../src/delivery/intent/interpretation.ts'
import type { TryExamples } from '../../../../src/delivery/step.ts'
import { reads } from '../../endings.ts'
import { reading } from '../../judgement-sample.ts'
import { begun } from './reader.ts'

interface Pair {
  kind: string
  differs: boolean
  one: { summary: string; examples: Example[] }
  other: { summary: string; examples: Example[] }
  /** What who gave the other one says to each example of the first. */
  words: TriedExample['verdict'][]
}

/** Two readings of one requirement, with the examples and the words that honest readers would give. */
const corpus = readFileSync(new URL('../../../corpora/readings/pairs.jsonl', import.meta.url), 'utf8')
const pairs = corpus
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Pair)
const differing = pairs.filter(({ differs }) => differs)
const equal = pairs.filter(({ differs }) => !differs)

describe('the corpus of readings', () => {
  const taken = new Map(pairs.map((pair) => [pair, isTakenForEqual(pair)]))
  const missed = differing.filter((pair) => taken.get(pair))
  const torn = equal.filter((pair) => !taken.get(pair))

  it('has enough pairs of every kind', () => {
    expect(pairs.length).toBeGreaterThanOrEqual(60)
    expect(new Set(differing.map(({ kind }) => kind))).toEqual(
      new Set(['one word', 'order', 'scope', 'unit', 'who', 'other languages']),
    )
  })
  it('at most 5 % of those that differ are taken for equal, and at most 10 % of the equal ones for different', () => {
    expect(missed.length / differing.length).toBeLessThanOrEqual(0.05)
    expect(torn.length / equal.length).toBeLessThanOrEqual(0.1)
  })
  it('is what the figures say', () => {
    const rows = [...new Set(pairs.map(({ kind }) => kind))].map((kind) => {
      const own = pairs.filter((pair) => pair.kind === kind)
      const wrong = own.filter((pair) => taken.get(pair) === pair.differs).length
      const byWords = own.filter(({ one, other, differs }) => isOneByWords(one, other) === differs).length
      return `| ${kind} | ${own.length} | ${wrong} | ${byWords} |`
    })
    const figures = readFileSync(new URL('../../../../docs/figures.md', import.meta.url), 'utf8')
    expect(rows.filter((row) => !figures.includes(row))).toEqual([])
  })
})

const read = ({ summary, examples }: Pair['one']): StructuredReading => ({ ...reading(summary), examples })

/** As the law has it: it goes on to a plan, or others are asked. */
function isTakenForEqual({ one, other, words }: Pair): boolean {
  const player = begun()
  player.perform('ReadRequirement first', reads({ reading: read(one), ambiguity: 'uncertain' }))
  player.perform('ReadRequirement second', reads({ reading: read(other) }))
  const said = new Map(one.examples.map(({ input }, index) => [input, words[index]!]))
  if (player.due().includes('TryExamples second'))
    player.perform('TryExamples second', (step) => {
      const { id, seat, examples } = step as TryExamples
      const tried = examples.map((example) => ({ ...example, verdict: said.get(example.input)!, why: '' }))
      return { type: 'ExamplesTried', step: id, seat, tried }
    })
  return player.due().includes('DraftPlan')
}

const isOneByWords = (one: Pair['one'], other: Pair['one']): boolean =>
  wordDifferences(reading(one.summary), reading(other.summary)).length === 0
