import { describe, expect, it } from 'vitest'
import { wishOf } from './ask.ts'

describe('wishOf', () => {
  it('wants words where an answer without them is refused or says nothing', () => {
    for (const option of ['reject', 'answer', 'decide'])
      expect(wishOf(option, 'triage')).toMatchObject({ required: true })
    expect(wishOf('blocking', 'unverified')).toMatchObject({ required: true })
  })

  it('takes words where they can help, and asks for none elsewhere', () => {
    for (const option of ['retry', 'other-agent', 'reading-2'])
      expect(wishOf(option, 'escalation')).toMatchObject({ required: false })
    expect(wishOf('done', 'take-over')).toMatchObject({
      text: expect.stringMatching(/who come after/),
      required: false,
    })
    for (const option of ['approve', 'skip', 'best-judgement', 'toString'])
      expect(wishOf(option, 'story-gate')).toBeNull()
    expect(wishOf('blocking', 'split')).toBeNull()
    expect(wishOf('trust', 'unverified')).toBeNull()
  })
})
