import { describe, expect, it } from 'vitest'
import { askedSetting } from '../../../test/samples/prompt-setting.ts'
import type { Story } from '../../delivery/plan/plan.ts'
import { testWriterPrompt, testWriterRules, type WorkBrief } from '../coder/prompt.ts'

const story = (changes: Partial<Story>): Story => ({
  id: 'adds',
  title: 'Add numbers',
  description: 'Sums are wrong.',
  criteria: ['Given 1 and 2, then 3'],
  dependsOn: [],
  complexity: 3,
  files: [],
  contextFiles: [],
  risks: [],
  mayChange: [],
  mayBeEmpty: false,
  strategy: 'tdd',
  noTestsBecause: '',
  tests: 'witnessed',
  proofs: [],
  ...changes,
})

const brief = (changes: Partial<WorkBrief>): WorkBrief => ({
  spec: story({}),
  unnoticed: [],
  red: null,
  findings: [],
  past: [],
  dependencies: [],
  siblings: [],
  checks: [],
  resumed: 'no',
  ...changes,
})

describe('what a test writer is told', () => {
  it('is its story, that nothing but tests is wanted, and that they must fail', () => {
    const { text } = testWriterPrompt(brief({}), null, askedSetting('test-writer'))
    expect(text.startsWith('## Your story: adds')).toBe(true)
    for (const part of ['Given 1 and 2, then 3', 'Sums must be right.', 'They must fail now', ...testWriterRules])
      expect(text).toContain(part)
    expect(text).not.toContain('The stories of the plan')
  })

  it('is the criteria of all stories, where the tests are for the requirement as a whole', () => {
    const plan = [story({}), story({ id: 'prints', title: 'Print sums', criteria: ['Given 3, then "3" is printed'] })]
    const { text } = testWriterPrompt(
      brief({ spec: story({ id: 'acceptance', criteria: [] }) }),
      plan,
      askedSetting('test-writer-acceptance'),
    )
    for (const part of [
      'adds: Add numbers',
      'Given 1 and 2, then 3',
      'prints: Print sums',
      'Given 3, then "3" is printed',
    ])
      expect(text).toContain(part)
  })
})
