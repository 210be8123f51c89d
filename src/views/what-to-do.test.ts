import { describe, expect, it } from 'vitest'
import type { Question } from '../delivery/questions/question.ts'
import { questionKinds } from '../delivery/questions/question.ts'
import { answerCommand } from './what-to-do.ts'

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
    for (const kind of questionKinds) {
      const command = answerCommand(asked(kind, ['retry', 'stop']))
      expect(command).toMatch(/^ropewalk [a-z]+/)
      expect(command).not.toMatch(/[|<>;&]/)
    }
  })

  it('names the options of a question that has some, and asks for words where it has none', () => {
    expect(answerCommand(asked('trouble', ['retry', 'stop']))).toBe('ropewalk answer trouble-1 retry   (or stop)')
    expect(answerCommand(asked('coder', []))).toBe('ropewalk answer coder-1 "…"')
  })
})
