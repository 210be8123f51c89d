import { describe, expect, it } from 'vitest'
import { planIn } from './answer.ts'

const story = { id: 'a', title: 'Do a' }
const json = JSON.stringify({ stories: [story] })
const complete = { id: 'a', title: 'Do a', description: '', criteria: [], dependsOn: [], complexity: 3 }

const plain = { files: [], mayChange: [], mayBeEmpty: false, tests: 'witnessed', proofs: [] }

describe('the plan in a planner’s answer', () => {
  it('is read from the result file, with the defaults of a plan file', async () => {
    const read = await planIn(json, 'ignored')
    expect(read).toEqual({
      ok: true,
      plan: { stories: [{ ...complete, ...plain, strategy: null, noTestsBecause: '' }] },
    })
  })

  it('may say when the tests of a story are written, and why it has none', async () => {
    const said = { ...story, strategy: 'none', noTestsBecause: 'It is prose.' }
    expect(await planIn(JSON.stringify([said]), '')).toMatchObject({ ok: true, plan: { stories: [said] } })
    const wrong = await planIn(JSON.stringify([{ ...story, strategy: 'later' }]), '')
    const problem = 'a: strategy must be one of none, after, tdd, three-session, or left out'
    expect(wrong).toEqual({ ok: false, problems: [problem] })
  })

  it.each([
    ['YAML', 'stories:\n  - id: a\n    title: Do a\n'],
    ['JSON with trailing commas', '{"stories": [{"id": "a", "title": "Do a",},],}'],
    ['JSON in a fence', `Here it is:\n\`\`\`json\n${json}\n\`\`\`\n`],
    ['a bare list', JSON.stringify([story])],
  ])('is read as %s', async (_, text) => {
    expect(await planIn(text, '')).toMatchObject({ ok: true, plan: { stories: [{ id: 'a' }] } })
  })

  it('is the last fenced one of the text when there is no file', async () => {
    const draft = JSON.stringify({ stories: [{ id: 'draft' }] })
    const text = `First:\n\`\`\`json\n${draft}\n\`\`\`\nBetter:\n\`\`\`\n${json}\n\`\`\`\nDone.`
    expect(await planIn(null, text)).toMatchObject({ ok: true, plan: { stories: [{ id: 'a' }] } })
  })

  it('is read out of prose around braces', async () => {
    expect(await planIn(null, `The plan is ${json} and that is all.`)).toMatchObject({ ok: true })
  })

  it('is not seen where there is none', async () => {
    const none = { ok: false, problems: ['there is no plan in the answer'] }
    for (const text of ['', 'I cannot do this.', '{"plan": "small"}', 'stories'])
      expect(await planIn(null, text)).toEqual(none)
  })

  it('names what is wrong with its shape', async () => {
    const wrong = { stories: [{ title: 'no id' }, { id: 'b', complexity: 4, files: [1] }] }
    expect(await planIn(JSON.stringify(wrong), '')).toEqual({
      ok: false,
      problems: [
        'story 1 has no id',
        'b: complexity must be one of 1, 2, 3, 5, 8, 13',
        'b: files must be a list of texts',
      ],
    })
  })

  it('is not taken from an answer that was cut off', async () => {
    const whole = JSON.stringify({ stories: [story, { id: 'b' }] })
    expect(await planIn(whole.slice(0, -12), '')).toMatchObject({ ok: false })
  })

  it('survives an alias bomb', async () => {
    const bomb = `a: &a [x,x]\nb: &b [*a,*a]\nstories: [*b,*b]\n`
    expect(await planIn(bomb, '')).toMatchObject({ ok: false })
  })
})
