import { describe, expect, it } from 'vitest'
import { readAnswer } from '../answer/read-answer.ts'
import { handoffContract, handoffOf, isMeantAsHandoff, remainsOf } from './handoff.ts'

const left = (given: unknown) => handoffOf(readAnswer(handoffContract, { file: JSON.stringify(given), text: '' }), '')
const material = { from: 'the story names a class', why: 'it is a function', material: true }
const decision = { what: 'b', why: 'it was asked for' }

describe('what a coder leaves is read, though', () => {
  it.each([
    ['one of its texts is too long', { decisions: [{ what: 'b', why: 'x'.repeat(1_500) }], deviations: [material] }],
    ['there are too many of a kind', { decisions: Array(21).fill(decision), deviations: [material] }],
    ['a key is missing', { deviations: [material] }],
    ['a reason is missing', { decisions: [{ what: 'b' }], deviations: [material] }],
    ['a yes is said in a word', { decisions: [decision], deviations: [{ ...material, material: 'yes' }] }],
    ['a yes has a reason', { decisions: [], deviations: [{ ...material, material: 'Yes, others call it' }] }],
    ['there is one where there should be a list', { decisions: 'b', deviations: [material] }],
  ])('%s: where it departs from the plan is kept', (_, given) => {
    expect(left(given)).toMatchObject({ quality: 'full', deviations: [material] })
  })
  it('what was cut is marked, and what others must know is not what is cut', () => {
    const { decisions, deviations } = left({
      decisions: [...Array(24).fill(decision), { what: 'y'.repeat(2_000), why: '' }],
      deviations: [...Array(30).fill({ ...material, material: false }), material],
    })
    expect([decisions.length, decisions.at(-1)?.what]).toEqual([20, '… and 6 more, left out here'])
    expect(deviations[0]).toEqual(material)
    expect(left({ decisions: [{ what: 'y'.repeat(2_000), why: '' }] }).decisions[0]?.what).toMatch(/^y{998} …$/)
  })
  it('something else stands in the place of a yes: that is told, and what else can be read is kept', () => {
    const odd = [
      { ...material, material: { sure: 1 } },
      { ...material, material: 'high' },
    ]
    const written = {
      file: JSON.stringify({ decisions: 7, deviations: [...odd, material], corrections: [{ assumption: 'a' }] }),
      text: '',
    }
    expect(readAnswer(handoffContract, written)).toMatchObject({
      quality: 'fallback',
      problems: expect.arrayContaining([
        expect.stringMatching(/^deviations\[0\]\.material is \{/),
        'corrections[0].fact is missing; allowed: text of 1 to 1000 characters',
      ]),
    })
    expect(remainsOf(written, '')).toMatchObject({ quality: 'partial', decisions: [], deviations: [material] })
  })
  it('any other object is none', () => {
    expect(left({ name: 'x', version: 3 })).toMatchObject({ quality: 'fallback' })
    expect(left({ decisions: [] })).toMatchObject({ quality: 'full' })
    expect(isMeantAsHandoff({ file: '{"decisions": 7}', text: '' })).toBe(true)
    for (const file of ['decisions: []\ndeviations: [x]', '{"Deviations": []}', '## Limitations\nnone'])
      expect(isMeantAsHandoff({ file, text: '' })).toBe(true)
    expect(isMeantAsHandoff({ file: '{"usd": 0.1, "usage": {}}', text: '' })).toBe(false)
    expect(isMeantAsHandoff({ file: null, text: 'Decisions: none.' })).toBe(false)
    expect(isMeantAsHandoff({ file: null, text: 'Done: all decisions are in the code.' })).toBe(false)
  })
})
