import { describe, expect, it } from 'vitest'
import type { Question, QuestionKind } from '../question.ts'
import { answerCommand, questionRules, wordsFor } from './registry.ts'

const asked = (kind: Question['kind'], options: string[]): Question => ({
  id: `${kind}-1`,
  kind,
  story: 'dates',
  text: 'Well?',
  options: options.map((id) => ({ id, label: id })),
  default: null,
  deadlineAt: null,
  evidence: '',
})

describe('answerCommand', () => {
  it('can be pasted into a shell up to its remarks, whatever is asked', () => {
    for (const kind of Object.keys(questionRules) as QuestionKind[]) {
      const command = answerCommand(asked(kind, ['retry', 'stop']))
      expect(command).toMatch(/^ropewalk [a-z]+/)
      expect(command).not.toMatch(/[|<>;&]/)
    }
  })

  it('names the options of a question that has some, and asks for words where it has none', () => {
    expect(answerCommand(asked('trouble', ['retry', 'stop']))).toBe('ropewalk answer trouble-1 retry   (or stop)')
    expect(answerCommand(asked('coder', []))).toBe('ropewalk answer coder-1 "…"')
    expect(answerCommand(asked('escalation', ['retry', 'take-over', 'skip']))).toBe(
      'ropewalk retry dates --advice "…"   or   ropewalk answer escalation-1 take-over   (or skip)',
    )
  })
})

describe('words with an option', () => {
  it('are needed where an answer without them is refused or says nothing', () => {
    for (const kind of ['plan-gate', 'story-gate', 'spec-gate', 'changed-tests'] as const)
      expect(wordsFor(kind, 'reject')?.unsaid).toMatchObject({ refused: 'a rejection needs a reason' })
    for (const [kind, option] of [
      ['intent-gap', 'answer'],
      ['unverified', 'blocking'],
      ['triage', 'decide'],
    ] as const)
      expect(wordsFor(kind, option)?.unsaid).not.toBeNull()
  })

  it('are taken where they can help, and asked for nowhere else', () => {
    for (const option of ['retry', 'other-agent']) expect(wordsFor('escalation', option)?.unsaid).toBeNull()
    expect(wordsFor('intent', 'reading-2')).toMatchObject({ unsaid: null })
    expect(wordsFor('take-over', 'done')).toMatchObject({
      prompt: expect.stringMatching(/who come after/),
      unsaid: null,
    })
    for (const option of ['approve', 'skip', 'best-judgement', 'toString', 'toString-1'])
      expect(wordsFor('story-gate', option)).toBeNull()
    expect(wordsFor('split', 'blocking')).toBeNull()
    expect(wordsFor('unverified', 'trust')).toBeNull()
    expect(wordsFor('trouble', 'retry')).toBeNull()
  })
})
