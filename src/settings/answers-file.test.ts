import { describe, expect, it } from 'vitest'
import { answersForm, parseAnswers } from './answers-file.ts'

const question = {
  id: 'plan-1',
  kind: 'plan-gate' as const,
  story: null,
  text: 'Go ahead\nwith this plan? # yes: no',
  options: [
    { id: 'approve', label: 'go ahead' },
    { id: 'reject', label: 'no' },
  ],
  default: null,
  deadlineAt: null,
}
const form = answersForm([
  { delivery: 'add-x', question },
  { delivery: 'null', question: { ...question, id: 'gate: "a"' } },
])

describe('the form', () => {
  it('shows questions and options as comments, and answers nothing by itself', () => {
    expect(form).toContain('# Go ahead with this plan? # yes: no\n  # 1 approve: go ahead\n  # 2 reject: no\n')
    expect(parseAnswers(form, 'answers.yaml')).toEqual({ ok: true, answers: [] })
    expect(parseAnswers(answersForm([]), 'answers.yaml')).toEqual({ ok: true, answers: [] })
  })

  it('is read back as it was filled in, whatever the ids look like', () => {
    const filled = form
      .replace('option:', 'option: 2')
      .replace('text:', 'text: too much')
      .replace(/option:$/m, 'option: approve')
    expect(parseAnswers(filled, 'answers.yaml')).toEqual({
      ok: true,
      answers: [
        { delivery: 'add-x', question: 'plan-1', option: '2', text: 'too much' },
        { delivery: 'null', question: 'gate: "a"', option: 'approve', text: '' },
      ],
    })
  })
})

describe('parseAnswers', () => {
  it.each([
    ['answers: [{ delivery: a, question: q, option: [1] }]', 'answers.0.option'],
    ['answers: [{ delivery: a, option: 1 }]', 'answers.0.question'],
    ['answers: [{ delivery: a, question: q, because: x }]', 'answers.0.because'],
    ['answers: x', 'answers'],
    ['', ''],
    ['[', ''],
  ])('refuses %s', (text, key) => {
    const parsed = parseAnswers(text, 'answers.yaml')
    expect(parsed.ok ? [] : parsed.problems.map((problem) => problem.key)).toContain(key)
  })
})
