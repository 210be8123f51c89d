import { describe, expect, it } from 'vitest'
import { sampleSetting } from '../../../test/samples/prompt-setting.ts'
import { plannerPrompt } from './prompt.ts'

const prompt = (feedback: string[], repairs: number): string =>
  plannerPrompt({ feedback, repairs, checks: [] }, sampleSetting('planner')).text

describe('what a planner is told after a draft that did not do', () => {
  it('is a human’s reason, in their words', () => {
    expect(prompt(['Call it better'], 0)).toContain('```feedback\nCall it better\n```')
  })

  it('is what was wrong with the form, and the example; then the empty shape', () => {
    const [first, second] = [prompt(['stories is missing'], 1), prompt(['stories is missing'], 2)]
    for (const text of [first, second]) expect(text).toContain('```problems\n- stories is missing\n```')
    expect(first).not.toContain('fill it in')
    expect(second).toContain('- stories[].complexity: one of 1, 2, 3, 5, 8, 13; may be left out')
  })

  it('fits in its section, however long the problems are', () => {
    const problems = Array.from({ length: 20 }, () => 'ä'.repeat(1_000))
    for (const repairs of [1, 2]) expect(prompt(problems, repairs)).not.toContain('left out for length')
  })

  it('is nothing before the first', () => {
    expect(prompt([], 0)).not.toContain('previous draft')
  })
})
