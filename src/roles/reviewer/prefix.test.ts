import { describe, expect, it } from 'vitest'
import { sampleSetting } from '../../../test/samples/prompt-setting.ts'
import { sampleReview } from '../../../test/samples/review-brief.ts'
import { sharedPrefixBytes } from '../../../test/samples/shared-prefix.ts'
import { vantages } from '../../delivery/review/review.ts'
import { reviewerPrompt } from './prompt.ts'

const told = (bytes: number) =>
  vantages.map((vantage, seat) =>
    reviewerPrompt(sampleReview({ vantage, seat, patchBytes: bytes }), sampleSetting('reviewer')),
  )

describe('prompts of parallel reviewers', () => {
  it.each([20_000, 60_000, 400_000])('begin with the same bytes, with a diff of %i bytes', (bytes) => {
    const prompts = told(bytes)
    const texts = prompts.map(({ text }) => text)
    expect(new Set(texts).size).toBe(vantages.length)
    const longest = Math.max(...texts.map((text) => Buffer.byteLength(text)))
    expect(sharedPrefixBytes(texts) / longest).toBeGreaterThanOrEqual(0.9)
    for (const { tokens, most } of prompts.flatMap(({ shown }) => shown)) expect(tokens).toBeLessThanOrEqual(most)
    // What is beside them is one file for all.
    expect(new Set(prompts.flatMap(({ files }) => files.map(({ path }) => path))).size).toBe(bytes > 128_000 ? 1 : 0)
  })

  it('differ only in what comes last', () => {
    const sections = told(20_000).map(({ source }) => source.sections.join())
    expect(new Set(sections).size).toBe(1)
    expect(sections[0]).toMatch(/change,tests,form,vantage,answer$/)
  })
})
