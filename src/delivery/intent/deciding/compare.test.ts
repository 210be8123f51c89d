import { describe, expect, it } from 'vitest'
import type { StructuredReading } from '../interpretation.ts'
import { differences } from './compare.ts'

const reading = (given: Partial<StructuredReading> = {}): StructuredReading => ({
  summary: 'whatever it is called',
  terms: [],
  behaviours: ['the list is sorted by name'],
  files: ['src/list.ts'],
  size: 'small',
  examples: [],
  ...given,
})
const agree = (one: StructuredReading, other: StructuredReading): boolean => differences(one, other).length === 0
const behaving = (...behaviours: string[]): StructuredReading => reading({ behaviours })

describe('two readings without examples agree', () => {
  it('though they put it in other words, and sum it up otherwise', () => {
    expect(agree(reading(), { ...behaving('Sorting the list goes by name.'), summary: 'something else' })).toBe(true)
    expect(agree(behaving('returns 404 for an unknown user'), behaving('an unknown user gets a 404'))).toBe(true)
  })
  it('though one names more files, terms and behaviours than the other', () => {
    const more = reading({
      behaviours: ['the list is sorted by name', 'upper and lower case count the same'],
      files: ['src/list.ts', 'src/list.test.ts'],
      terms: [{ term: 'name', meaning: 'the family name' }],
    })
    expect(differences(reading(), more)).toEqual([])
    expect(differences(more, reading())).toEqual([])
  })
  it('though one says nothing of files or behaviours', () => {
    expect(agree(reading(), reading({ files: [], behaviours: [] }))).toBe(true)
  })
})

describe('two readings without examples differ', () => {
  it.each([
    ['in a figure', 'the page shows 20 users', 'the page shows 50 users'],
    ['in yes and no', 'deleted users are shown', 'deleted users are not shown'],
    ['in what can be observed', 'the list is sorted by name', 'old entries vanish after a week'],
    ['in words that say nothing by themselves', 'it is so', 'it is otherwise'],
  ])('%s', (_, one, other) => {
    expect(differences(behaving(one), behaving(other))).toEqual([`observable: ${one} / ${other}`])
    expect(agree(behaving(other), behaving(one))).toBe(false)
  })
  it('in what a term means that both of them name', () => {
    const meaning = (text: string) => reading({ terms: [{ term: 'Active users', meaning: text }] })
    expect(differences(meaning('logged in this week'), meaning('subscription paid'))).toEqual([
      '"Active users" is logged in this week or subscription paid',
    ])
    const alike = reading({ terms: [{ term: 'active user', meaning: 'those logged in this week' }] })
    expect(agree(meaning('logged in this week'), alike)).toBe(true)
  })
  it('when they touch no file in common', () => {
    expect(differences(reading(), reading({ files: ['lib/sort.ts'] }))).toEqual(['touches src/list.ts or lib/sort.ts'])
  })
  it('when one is small and the other large, not when they are next to each other', () => {
    expect(differences(reading(), reading({ size: 'large' }))).toEqual(['it is small or large'])
    expect(agree(reading(), reading({ size: 'medium' }))).toBe(true)
    expect(agree(reading({ size: 'large' }), reading({ size: 'medium' }))).toBe(true)
  })
  it('when more than half of what one says can be observed is not said by the other', () => {
    const two = behaving('the list is sorted by name', 'old entries vanish after a week')
    const three = behaving(...two.behaviours, 'mails are sent to administrators')
    expect(agree(reading(), two)).toBe(true)
    expect(agree(reading(), three)).toBe(false)
  })
})

describe('two readings with examples', () => {
  const giving = (output: string): StructuredReading => reading({ examples: [{ input: 'GET /users/7', output }] })

  it('do not differ by the order of keys, but by that of a list', () => {
    expect(agree(giving('{"id": 7, "name": "Ada"}'), giving('{"name": "Ada", "id": 7}'))).toBe(true)
    expect(agree(giving('["Ada", "Bo"]'), giving('["Bo", "Ada"]'))).toBe(false)
  })
})
