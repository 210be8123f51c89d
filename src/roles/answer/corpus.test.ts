// Reads test/corpora/answers; its README tells the form.
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { handoffContract, verdictContract } from '../../../test/corpora/answers/contracts.ts'
import { planContract } from '../planner/prompt.ts'
import { reviewContract } from '../reviewer/prompt.ts'
import type { Contract } from './contract.ts'
import { readAnswer, type Written } from './read-answer.ts'

interface Case {
  name: string
  want: string
  value: unknown
  problems: string[]
  written: Written
}

const folder = new URL('../../../test/corpora/answers/', import.meta.url)
const contracts: Record<string, Contract<unknown>> = {
  verdict: verdictContract,
  plan: planContract,
  handoff: handoffContract,
  review: reviewContract('c'.repeat(40)),
}

const files = readdirSync(folder).filter((name) => name.endsWith('.txt'))
const corpus = files.map((file) => ({ file, cases: casesIn(readFileSync(new URL(file, folder), 'utf8')) }))

describe('the corpus of answers', () => {
  it('is all there', () => {
    expect(corpus.flatMap(({ cases }) => cases).length).toBeGreaterThan(180)
  })

  describe.each(corpus)('$file', ({ file, cases }) => {
    it.each(cases)('$name', ({ want, value, problems, written }) => {
      const answer = readAnswer(contracts[file.split('-')[0]!]!, written)
      expect({ quality: answer.quality, problems: answer.problems }).toEqual({
        quality: want,
        problems: want === 'full' ? [] : expect.arrayContaining(problems.map((one) => expect.stringContaining(one))),
      })
      if (want === 'fallback') expect(answer.value).toBeNull()
      else expect(answer.value).toMatchObject(value as object)
    })
  })
})

function casesIn(text: string): Case[] {
  return text.split(/^=== /m).slice(1).map(caseOf)
}

function caseOf(part: string): Case {
  const [head, ...bodies] = part.split(/^--- /m)
  const [name, ...fields] = head!.trim().split('\n')
  const field = (key: string): string[] =>
    fields.filter((line) => line.startsWith(`${key}: `)).map((line) => line.slice(key.length + 2))
  const body = (key: string): string | null => bodies.find((one) => one.startsWith(`${key}\n`))?.slice(5) ?? null
  const want = field('want')[0]!
  return {
    name: name!,
    want,
    value: want === 'fallback' ? null : JSON.parse(field('value')[0]!),
    problems: field('problem'),
    written: { file: spelledOut(body('file')), text: spelledOut(body('text')) ?? '' },
  }
}

function spelledOut(text: string | null): string | null {
  if (text === null) return null
  return text
    .replace(/⟦cut⟧[\s\S]*/, '')
    .replace('⟦example⟧', () => JSON.stringify(contracts.review!.example))
    .replace(/⟦(\d+) × ([^⟧]*)⟧/g, (_, times, what) => what.repeat(Number(times)))
    .replace(/⟦U\+([0-9A-F]+)⟧/g, (_, code) => String.fromCodePoint(Number.parseInt(code, 16)))
}
