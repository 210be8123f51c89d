import { describe, expect, it } from 'vitest'
import { inputOf } from '../../../../src/delivery/inputs/input.ts'
import { identified, type Step } from '../../../../src/delivery/step.ts'
import { performers } from '../../../../src/steps/perform.ts'
import { openYard, type Yard } from '../yard.ts'
import { shop } from './sample.ts'

const stories = [{ id: 'one', title: 'Sum it up', criteria: ['Given 1 and 2, then 3'] }]
const who = { agent: 'mine', model: null, because: '' }

const opened = (script: unknown[]) => openYard({ files: shop, stories, script })

/** As if the law had asked for it. */
async function performed(yard: Yard, step: object): Promise<{ ending: unknown; prompts: string[] }> {
  const state = await yard.state()
  const whole = identified({ ...who, base: state.line.tip, turn: 0, ...step } as never) as Step
  const prompts: string[] = []
  const ending = await performers(yard.world)({
    ...{
      step: whole,
      input: inputOf(state, whole),
      standing: () => state,
      try: 1,
      mark: 'test',
      signal: new AbortController().signal,
    },
    record: async (event) => {
      if (event.type !== 'AgentStarted') return
      prompts.push(Buffer.from((await yard.world.blobs.get(event.promptDigest))!).toString())
    },
  })
  return { ending, prompts }
}

const nonce = '$ROPEWALK_NONCE'
const audit = { verb: 'AuditPlan', story: null, revision: 1 }

describe('auditing a plan', () => {
  it('tells what has to change, and what is only to be known', async () => {
    const problems = [{ story: 'one', problem: 'Amounts are texts.' }, { problem: 'Nothing is tested.' }]
    const result = { nonce, verdict: 'problems', problems, concerns: ['It may be slow.'] }
    const yard = await opened([{ role: 'challenger', do: [{ result }] }])
    const { ending, prompts } = await performed(yard, audit)
    expect(ending).toMatchObject({
      ...{ type: 'PlanAudited', revision: 1, concerns: ['It may be slow.'] },
      problems: ['one: Amounts are texts.', 'Nothing is tested.'],
    })
    expect(prompts[0]).toContain('Given 1 and 2, then 3')
  })

  it.each([
    ['prose', { say: 'The plan is sound, I approve it.' }],
    ['sound with problems', { result: { nonce, verdict: 'sound', problems: [{ problem: 'x' }] } }],
    ['problems without any', { result: { nonce, verdict: 'problems', problems: [] } }],
    ['an audit that it only quotes', { result: { verdict: 'sound', problems: [] } }],
    ['a crash', { crash: true }],
  ])('is said not to have happened after %s', async (_, action) => {
    const { ending } = await performed(await opened([{ do: [action] }]), audit)
    expect(ending).toMatchObject({ problems: [], concerns: [expect.stringMatching(/^nobody audited the plan: /)] })
  })
})

const respecify = (as: 'amended' | 'split') => ({
  ...{ verb: 'RespecifyStory', story: 'one', revision: 1, as, findings: [], problems: [] },
  reason: 'amounts are texts, they cannot be summed up',
})

describe('specifying a story anew', () => {
  it('changes what is named and nothing else', async () => {
    const result = { cause: 'Amounts are texts.', description: 'Join them.', criteria: ['Given a and b, then a + b'] }
    const yard = await opened([{ role: 'planner', do: [{ result: { ...result, mayChange: ['check.sh'] } }] }])
    const { ending, prompts } = await performed(yard, respecify('amended'))
    expect(ending).toEqual({
      ...{ type: 'StoryRespecified', step: expect.any(String), story: 'one', cause: 'Amounts are texts.' },
      changes: { description: 'Join them.', criteria: ['Given a and b, then a + b'] },
    })
    expect(prompts[0]).toContain('amounts are texts, they cannot be summed up')
  })

  const departure = { ...respecify('amended'), departed: ['zero'] }

  it('may uphold it where only others were done otherwise than planned', async () => {
    const result = { holds: true, cause: 'It reads no amounts.' }
    const { ending, prompts } = await performed(await opened([{ role: 'planner', do: [{ result }] }]), departure)
    expect(ending).toMatchObject({ type: 'StoryUpheld', story: 'one', why: 'It reads no amounts.' })
    expect(prompts[0]).toMatch(/Why it is looked at again[\s\S]*Nobody has begun this story yet/)
    const refused = await performed(await opened([{ role: 'planner', do: [{ result }] }]), respecify('amended'))
    expect(refused.ending).toMatchObject({ type: 'RespecifyFaulted' })
  })

  it('changes it there as well', async () => {
    const result = { holds: false, cause: 'There is a cache.', contextFiles: ['src/cache.js'] }
    const { ending } = await performed(await opened([{ do: [{ result }] }]), departure)
    expect(ending).toMatchObject({ type: 'StoryRespecified', changes: { contextFiles: ['src/cache.js'] } })
  })

  it.each([
    ['both', { holds: true, cause: 'x', title: 'Other' }, /said to hold as it is, and to be changed: title/],
    ['neither', { cause: 'x' }, /say "holds": true/],
    ['no reason', { holds: true }, /cause/],
  ])('is faulted there when it is said to be %s', async (_, result, problem) => {
    const { ending } = await performed(await opened([{ do: [{ result }] }]), departure)
    expect(ending).toMatchObject({ type: 'RespecifyFaulted', problems: [expect.stringMatching(problem)] })
  })

  it('makes several of it', async () => {
    const result = { cause: 'Two things.', stories: [{ id: 'a' }, { id: 'b', dependsOn: ['a'] }] }
    const { ending } = await performed(await opened([{ do: [{ result }] }]), respecify('split'))
    expect(ending).toMatchObject({
      ...{ type: 'StorySplit', story: 'one', cause: 'Two things.' },
      into: [
        { id: 'a', title: 'a', complexity: 3 },
        { id: 'b', dependsOn: ['a'] },
      ],
    })
  })

  it.each([
    ['amended', 'no change', { cause: 'Well.' }],
    ['amended', 'no cause', { description: 'Other.' }],
    ['split', 'one story', { cause: 'x', stories: [{ id: 'a' }] }],
    ['split', 'nothing', { cause: 'x', stories: [] }],
  ] as const)('is faulted when the answer is %s with %s', async (as, _, result) => {
    const { ending } = await performed(await opened([{ do: [{ result }] }]), respecify(as))
    expect(ending).toMatchObject({ type: 'RespecifyFaulted', story: 'one', problems: [expect.any(String)] })
  })
})
