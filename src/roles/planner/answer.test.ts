import { describe, expect, it } from 'vitest'
import type { Plan } from '../../delivery/plan/plan.ts'
import { fitting } from '../answer/contract.ts'
import { readAnswer } from '../answer/read-answer.ts'
import { planContract, planFromAnswer } from './prompt.ts'

function planIn(file: string | null, text: string): { ok: true; plan: Plan } | { ok: false; problems: string[] } {
  const { value, problems } = readAnswer(planContract, { file, text })
  return value === null
    ? { ok: false, problems }
    : { ok: true, plan: planFromAnswer(value, ['It adds', 'It takes away']) }
}

const story = { id: 'a', title: 'Do a' }
const json = JSON.stringify({ stories: [story] })
const argued = { approach: 'Straight', runnerUp: { approach: 'Around', lostBecause: 'It is longer.' } }
const complete = { id: 'a', title: 'Do a', description: '', criteria: [], dependsOn: [], complexity: 3 }

const plain = {
  files: [],
  mayChange: [],
  mayBeEmpty: false,
  tests: 'witnessed',
  proofs: [],
  contextFiles: [],
  risks: [],
}

describe('the plan in a planner’s answer', () => {
  it('is read from the result file, with the defaults of a plan file', () => {
    const read = planIn(json, 'ignored')
    expect(read).toEqual({
      ok: true,
      plan: { outline: null, stories: [{ ...complete, ...plain, strategy: null, noTestsBecause: '' }] },
    })
  })

  it('may say when the tests of a story are written, and why it has none', () => {
    const said = { ...story, strategy: 'none', noTestsBecause: 'It is prose.' }
    expect(planIn(JSON.stringify([said]), '')).toMatchObject({ ok: true, plan: { stories: [said] } })
    const wrong = planIn(JSON.stringify([{ ...story, strategy: 'later' }]), '')
    const problem = 'stories[0].strategy is "later"; allowed: one of none, after, tdd, three-session'
    expect(wrong).toEqual({ ok: false, problems: [problem] })
  })

  it.each([
    ['JSON with trailing commas', '{"stories": [{"id": "a", "title": "Do a",},],}'],
    ['JSON in a fence', `Here it is:\n\`\`\`json\n${json}\n\`\`\`\n`],
    ['a bare list', JSON.stringify([story])],
  ])('is read as %s', (_, text) => {
    expect(planIn(text, '')).toMatchObject({ ok: true, plan: { stories: [{ id: 'a' }] } })
  })

  it('is the last fenced one of the text when there is no file', () => {
    const draft = JSON.stringify({ stories: [{ id: 'draft' }] })
    const text = `First:\n\`\`\`json\n${draft}\n\`\`\`\nBetter:\n\`\`\`\n${json}\n\`\`\`\nDone.`
    expect(planIn(null, text)).toMatchObject({ ok: true, plan: { stories: [{ id: 'a' }] } })
  })

  it('is read out of prose around braces', () => {
    expect(planIn(null, `The plan is ${json} and that is all.`)).toMatchObject({ ok: true })
  })

  it('is not seen where there is none', () => {
    const none = 'there is no plan in the answer; allowed: JSON, an object with the keys outline, stories'
    for (const text of ['', 'I cannot do this.', '{"plan": "small"}', 'stories', 'stories:\n  - id: a\n'])
      expect(planIn(null, text)).toEqual({ ok: false, problems: [none] })
  })

  it('names what is wrong with its shape', () => {
    const wrong = { stories: [{ title: 'no id' }, { id: 'b', complexity: 4, files: [{}] }] }
    expect(planIn(JSON.stringify(wrong), '')).toEqual({
      ok: false,
      problems: [
        'stories[0].id is missing; allowed: text of 1 to 64 characters',
        'stories[1].complexity is 4; allowed: one of 1, 2, 3, 5, 8, 13',
        'stories[1].files[0] is {}; allowed: text of 1 to 1000 characters',
      ],
    })
  })

  it('is not taken from an answer that was cut off', () => {
    const whole = JSON.stringify({ stories: [story, { id: 'b' }] })
    expect(planIn(whole.slice(0, -12), '')).toMatchObject({ ok: false })
  })

  it('is not taken from what would end a reader that is less careful', () => {
    for (const text of ['['.repeat(20_000), '- '.repeat(20_000), 'a: &a [x,x]\nb: &b [*a,*a]\nstories: [*b,*b]\n'])
      expect(planIn(text, text)).toMatchObject({ ok: false })
  })

  it('shares nothing between its stories', () => {
    const read = planIn('{"stories": [{"id": "a"}, {"id": "b"}]}', '')
    if (!read.ok) throw new Error(read.problems.join())
    read.plan.stories[0]!.files.push('a.js')
    expect(read.plan.stories[1]!.files).toEqual([])
  })

  it('lacks why several stories are one: the approach, and what lost against it', () => {
    const lacks = (outline: unknown, stories: unknown[]) => {
      const { value } = fitting(planContract, { outline, stories })
      return planContract.lacks?.(value!)
    }
    const stories = [{ id: 'a' }, { id: 'b' }]
    const unfilled = [expect.stringMatching(/^outline\.runnerUp is not filled in/)]
    expect(lacks(null, stories)).toEqual([expect.stringMatching(/^outline is missing/)])
    for (const runnerUp of [undefined, null, {}, 'a library', { approach: 'x'.repeat(3_000) }])
      expect(lacks({ approach: 'Straight', runnerUp }, stories)).toEqual(unfilled)
    expect(lacks({ ...argued, runnerUp: { approach: 'Around', lostBecause: ' ' } }, stories)).toEqual(unfilled)
    expect(lacks(argued, stories)).toEqual([])
    expect(lacks(null, [story])).toEqual([])
  })

  it('says why it is this one, and names criteria by number or in words', () => {
    const covers = ['C2', 'c 1.', 'Another', 'C9'].map((criterion) => ({ criterion, stories: ['a'] }))
    const outline = { approach: 'Straight', runnerUp: {}, covers }
    const read = planIn(JSON.stringify({ outline, stories: [story] }), '')
    const named = ['It takes away', 'It adds', 'Another', 'C9'].map((criterion) => ({ criterion, stories: ['a'] }))
    expect(read).toMatchObject({
      plan: { outline: { approach: 'Straight', covers: named, risks: [], switchWhen: '' } },
    })
  })

  it('has proofs with all that their type needs, and nothing else', () => {
    const proofs = (given: object) => planIn(JSON.stringify({ stories: [{ ...story, proofs: [given] }] }), '')
    const whole = { type: 'output-contains', run: 'npm test', text: 'ok', path: 'x' }
    expect(proofs(whole)).toMatchObject({
      plan: { stories: [{ proofs: [{ type: 'output-contains', run: 'npm test', text: 'ok' }] }] },
    })
    expect(proofs({ type: 'file-contains', path: 'a' })).toEqual({
      ok: false,
      problems: ['stories[0].proofs[0].text is missing; file-contains needs it'],
    })
  })
})
