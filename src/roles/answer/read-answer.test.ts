import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { handoffContract, verdictContract } from '../../../test/corpora/answers/contracts.ts'
import { planContract } from '../planner/prompt.ts'
import { type Contract, fitting } from './contract.ts'
import { readAnswer, readingsIn } from './read-answer.ts'
import { readContainer } from './relaxed-json.ts'

const contracts: Contract<unknown>[] = [verdictContract, planContract, handoffContract]

const words = fc.string({ minLength: 1, maxLength: 20, unit: 'grapheme' }).filter((word) => /^[^\s\p{C}]+$/u.test(word))
const finding = fc.record({
  file: words,
  line: fc.option(fc.integer({ min: 1, max: 9_999 })),
  severity: fc.constantFrom('blocking', 'important', 'suggestion', 'note'),
  message: words,
})
const verdict = fc.oneof(
  fc.constant({ verdict: 'passed', findings: [] }),
  fc.record({ verdict: fc.constant('findings'), findings: fc.array(finding, { minLength: 1, maxLength: 4 }) }),
)
const handoff = fc.record({
  summary: words,
  decisions: fc.array(fc.record({ what: words, why: words }), { maxLength: 4 }),
})

const pieces = [
  ...['{', '}', '[', ']', ',', ':', '"', "'", '“', '’', '\\', '\\u00', '\n', ' ', '```', '```json\n', '//', '/*', '*/'],
  ...['#', '...', '-', '1', '1e9', 'true', 'None', 'passed', 'x', '\u200b', '\ufeff', '\u001b[', '\ud800', '\u0000'],
  ...[
    '"verdict"',
    '"findings"',
    '"stories"',
    '"id"',
    '"decisions"',
    '"what"',
    '"why"',
    '"__proto__"',
    '"passed"',
    '[]',
  ],
  ...['{"verdict":"passed","findings":[]}', '{"stories":[{"id":"a"}]}', '{"decisions":[]}', '"severity":"note"'],
]
const soup = fc.array(fc.constantFrom(...pieces), { maxLength: 60 }).map((parts) => parts.join(''))

const spaced = (value: unknown, indent: number): string => JSON.stringify(value, null, indent)

describe('whatever an agent writes', () => {
  it('is read without an exception, and what is read fits the contract', () => {
    fc.assert(
      fc.property(
        fc.option(fc.oneof(soup, fc.string())),
        fc.oneof(soup, fc.string({ unit: 'binary' })),
        (file, text) => {
          for (const contract of contracts) {
            const { quality, value, problems } = readAnswer(contract, { file, text })
            expect(value === null).toBe(quality === 'fallback')
            expect(problems.length === 0).toBe(quality === 'full')
            if (value !== null)
              expect(fitting(contract, JSON.parse(JSON.stringify(value)))).toEqual({ value, problems: [] })
          }
        },
      ),
      { numRuns: 300 },
    )
  })

  it('is no verdict without an object', () => {
    fc.assert(
      fc.property(soup, (text) => {
        const flat = text.replaceAll('{', '(')
        expect(readAnswer(verdictContract, { file: flat, text: flat }).quality).toBe('fallback')
      }),
    )
  })

  it('is looked through a limited number of times', () => {
    const work = (text: string): number => [...readingsIn(text)].reduce((sum, { start, end }) => sum + end - start, 0)
    const times = (part: string): string => part.repeat(Math.ceil(20_000 / part.length))
    const hostile = [
      '[',
      '{',
      '{"',
      '{"a":',
      '{"a":1 x',
      '["a" x',
      '{/*',
      '[//',
      '{"\\',
      '["{',
      '{a',
      "['",
      '{“',
      '[{"id":',
    ]
    for (const text of hostile.map(times)) expect(work(text)).toBeLessThan(text.length * 5)
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 6 }), (parts) => {
        const text = times(parts.join('')).slice(0, 20_000)
        expect(work(text)).toBeLessThan(text.length * 5)
      }),
    )
  })
})

describe('JSON', () => {
  it('is read as what it is', () => {
    const container = fc.oneof(fc.dictionary(fc.string(), fc.jsonValue()), fc.array(fc.jsonValue()))
    fc.assert(
      fc.property(container, fc.nat(3), (value, indent) => {
        const text = spaced(value, indent)
        const read = readContainer(text, 0)
        expect(read).toMatchObject({ status: 'whole', end: text.length })
        expect(JSON.stringify(read.value)).toBe(JSON.stringify(JSON.parse(text)))
      }),
      { numRuns: 300 },
    )
  })

  it('is read through what models do to it', () => {
    const manners: ((text: string) => string)[] = [
      (text) => `Here it is:\n\`\`\`json\n${text}\n\`\`\`\nAnything else?`,
      (text) => `The [answer] is ${text}, {as asked}.`,
      (text) => `\ufeff// mine\n${text}`,
      (text) => text.replace(/([^[{])\n( *[}\]])/g, '$1,\n$2'),
      (text) => text.replace(/,$/gm, ', // and'),
      (text) => text.replace(/,\n/g, '\n'),
      (text) => `${text}\n${text}`,
    ]
    fc.assert(
      fc.property(verdict, fc.constantFrom(...manners), (value, manner) => {
        expect(readAnswer(verdictContract, { file: null, text: manner(spaced(value, 2)) })).toEqual({
          quality: 'full',
          value,
          problems: [],
        })
      }),
      { numRuns: 1_000 },
    )
  })
})

describe('an answer that was cut off', () => {
  const cuts = (text: string): string[] => Array.from(text, (_, end) => text.slice(0, end))

  it('is no verdict, wherever it was cut', () => {
    fc.assert(
      fc.property(verdict, fc.nat(2), (value, indent) => {
        const written = cuts(spaced(value, indent)).flatMap((text) => [text, `${text}\n\`\`\`\nThat is all.`])
        const taken = written.filter((file) => readAnswer(verdictContract, { file, text: '' }).value !== null)
        expect(taken).toEqual([])
      }),
      { numRuns: 30 },
    )
  })

  it('gives only elements that are whole, where a part will do', () => {
    fc.assert(
      fc.property(handoff, fc.nat(2), (whole, indent) => {
        const answers = cuts(spaced(whole, indent)).map((file) => readAnswer(handoffContract, { file, text: '' }))
        const values = answers.map(({ value }) => value).filter((value) => value !== null)
        const wrong = values.filter(({ summary, decisions }) => {
          const same = JSON.stringify(whole.decisions.slice(0, decisions.length)) === JSON.stringify(decisions)
          return !same || !['', whole.summary].includes(summary)
        })
        expect(wrong).toEqual([])
        expect(answers.filter(({ quality }) => quality === 'full')).toEqual([])
      }),
      { numRuns: 30 },
    )
  })
})
