import { describe, expect, it } from 'vitest'
import type { Interim } from '../../../../src/delivery/events.ts'
import type { Policy } from '../../../../src/delivery/policy.ts'
import { defaults } from '../../../default-settings.ts'
import { openYard, type Yard } from '../yard.ts'

const plan = { stories: [{ id: 'one' }] }
const asks = (script: unknown[], policy: Partial<Policy> = {}): Promise<Yard> =>
  openYard({ files: { 'a.txt': 'a\n' }, stories: null, script, policy })

const typesOf = (interims: Interim[]): string[] => interims.map(({ type }) => type)
const turn = ['AgentStarted', 'SessionOpened', 'TurnSpent']

async function promptsOf(yard: Yard, interims: Interim[]): Promise<string[]> {
  const digests = interims.flatMap((event) => (event.type === 'AgentStarted' ? [event.promptDigest] : []))
  return await Promise.all(digests.map(async (digest) => Buffer.from((await yard.world.blobs.get(digest))!).toString()))
}

describe('asking for an answer', () => {
  it('asks again in the same session and place, with what is wrong, and each turn is in the ledger', async () => {
    const yard = await asks([
      { do: [{ write: { 'kept.json': JSON.stringify(plan) } }, { result: { stories: [{ title: 'no id' }] } }] },
      { resumed: true, do: [{ shell: 'cp kept.json "$ROPEWALK_RESULT"' }] },
    ])
    const { ending, interims } = await yard.perform('DraftPlan')
    expect(ending).toMatchObject({ type: 'PlanDrafted', plan })
    expect(typesOf(interims)).toEqual([...turn, ...turn])
    const sessions = interims.flatMap((event) => (event.type === 'SessionOpened' ? [event.session] : []))
    expect(new Set(sessions).size).toBe(1)
    const [first, again] = await promptsOf(yard, interims)
    expect(first).toContain('Make it so.')
    expect(again).not.toContain('Make it so.')
    expect(again).toContain('stories[0].id is missing')
    expect(again).toContain('"id": "parse-dates"')
  })

  // What went before may be too long by now, which services tell as a request that is wrong.
  const forgotten = ['session', 'bad-request'] as const
  it.each(forgotten)('tells all of it once more where the agent cannot go on with its session: %s', async (kind) => {
    const yard = await asks([
      { do: [{ say: 'It is going well.' }] },
      { prompt: 'Answer again', resumed: false, do: [{ result: plan }] },
    ])
    const { driver } = yard.world
    yard.world.driver = async (name) => {
      const scripted = (await driver(name))!
      const forgets = { kind, message: 'no', status: null, retryable: true, resetsAt: null } as const
      const run: typeof scripted.run = async (asked) =>
        asked.session === null
          ? await scripted.run(asked)
          : { ...(await scripted.run({ ...asked, session: null })), status: 'failed', error: forgets }
      return { ...scripted, run }
    }
    const { ending, interims } = await yard.perform('DraftPlan')
    expect(ending).toMatchObject({ type: 'PlanDrafted', plan })
    expect(interims.filter(({ type }) => type === 'TurnSpent')).toHaveLength(3)
    const prompts = await promptsOf(yard, interims)
    expect(prompts.map((prompt) => prompt.includes('Make it so.'))).toEqual([true, false, true])
  })

  it('gives the empty shape the next time, and no more than answerRetries turns in all', async () => {
    const yard = await asks([{ do: [{ say: 'It is going well.' }] }])
    const { ending, interims } = await yard.perform('DraftPlan')
    expect(ending).toMatchObject({ type: 'PlanFaulted', problems: [expect.stringContaining('there is no plan')] })
    expect(typesOf(interims)).toEqual([...turn, ...turn, ...turn])
    expect((await promptsOf(yard, interims))[2]).toContain('Copy this, fill it in')
  })

  it.each([0, 1, 4])('is bounded by limits.answerRetries: %i', async (answerRetries) => {
    const limits = { ...defaults.limits, checks: 1, answerRetries }
    const yard = await asks([{ do: [{ say: 'No.' }] }], { limits })
    const { interims } = await yard.perform('DraftPlan')
    expect(interims.filter(({ type }) => type === 'TurnSpent')).toHaveLength(answerRetries + 1)
  })

  it('asks once for what is only lacking, takes it with it, and else goes on without and says so', async () => {
    const two = { stories: [{ id: 'one' }, { id: 'two' }] }
    const outline = { approach: 'Straight', runnerUp: { approach: 'Around', lostBecause: 'It is longer.' } }
    const lacking = { do: [{ result: two }] }
    const concern = { type: 'ConcernRaised', text: expect.stringContaining('outline is missing') }
    for (const [second, isWhole] of [
      [{ result: { outline, ...two } }, true],
      [{ result: two }, false],
      [{ say: 'As I said.' }, false],
      [{ crash: true }, false],
    ] as const) {
      const yard = await asks([lacking, { prompt: 'outline is missing', do: [second] }])
      const { ending, interims } = await yard.perform('DraftPlan')
      expect(ending).toMatchObject({ type: 'PlanDrafted', plan: isWhole ? { ...two, outline } : two })
      expect(interims.filter(({ type }) => type === 'AgentStarted')).toHaveLength(2)
      expect(interims.filter(({ type }) => type === 'ConcernRaised')).toEqual(
        isWhole ? [] : [expect.objectContaining(concern)],
      )
    }
  })

  it('is not asked again when no agent may be started any more', async () => {
    const limits = { ...defaults.limits, checks: 1, agentStartsPerDelivery: 1 }
    const yard = await asks([{ do: [{ say: 'No.' }] }], { limits })
    const { ending, interims } = await yard.perform('DraftPlan')
    expect(interims.filter(({ type }) => type === 'TurnSpent')).toHaveLength(1)
    expect(ending).toMatchObject({ type: 'PlanFaulted', problems: [expect.stringContaining('there is no plan')] })
  })

  it('takes no answer from the turn before', async () => {
    const other = { stories: [{ id: 'two', complexity: 4 }] }
    const yard = await asks([{ do: [{ result: other }] }, { resumed: true, do: [{ say: 'As I said.' }] }])
    const { ending } = await yard.perform('DraftPlan')
    expect(ending).toMatchObject({ type: 'PlanFaulted', problems: [expect.stringContaining('there is no plan')] })
  })

  it('does not ask again beyond a ceiling', async () => {
    const ceilings = { ...defaults.ceilings, usdPerDelivery: 1 }
    const yard = await asks([{ do: [{ usage: { usd: 1 } }, { say: 'No.' }] }], { ceilings })
    const { ending, interims } = await yard.perform('DraftPlan')
    expect(ending).toMatchObject({ type: 'StepParked', reason: expect.stringContaining('1 USD for the delivery') })
    expect(interims.filter(({ type }) => type === 'TurnSpent')).toHaveLength(1)
  })

  it('does not begin anew for ever where nobody takes a further word', async () => {
    const yard = await asks([{ prompt: 'Make it so', resumed: false, do: [{ say: 'It is going well.' }] }])
    const { ending, interims } = await yard.perform('DraftPlan')
    expect(ending).toMatchObject({ type: 'PlanFaulted' })
    expect(interims.filter(({ type }) => type === 'TurnSpent').length).toBeLessThanOrEqual(5)
  })

  it('tells a refusal of a later turn as that', async () => {
    const yard = await asks([{ do: [{ say: 'No.' }] }, { resumed: true, do: [{ limit: { resetsInMs: 60_000 } }] }])
    expect((await yard.perform('DraftPlan')).ending).toMatchObject({ type: 'AgentRefused', kind: 'rate-limit' })
  })

  it('finds the transcript of a later turn that died with us, and counts it once', async () => {
    const yard = await asks([{ do: [{ say: 'No.' }] }, { resumed: true, do: [{ result: plan }] }])
    const salvaged: string[] = []
    const scripted = (await yard.world.driver('scripted'))!
    const salvage = async ({ transcript }: { transcript: string }) => {
      salvaged.push(transcript)
      return null
    }
    yard.world.driver = async () => ({ ...scripted, salvage })
    let turns = 0
    yard.world.crashPoint = (name) => {
      if (name === 'plan:after-agent' && ++turns === 2) throw new Error('killed')
    }
    await expect(yard.perform('DraftPlan')).rejects.toThrow('killed')
    const { interims } = await yard.perform('DraftPlan', { try: 2 })
    expect(salvaged).toEqual([expect.stringMatching(/-1\.1\.transcript$/)])
    expect(typesOf(interims)).toEqual(['TurnSpent', ...turn, ...turn])
    const all = await yard.log.query({
      delivery: 'd1',
      story: null,
      types: ['AgentStarted', 'TurnSpent'],
      after: 0,
      limit: 100,
      from: 'first',
    })
    const count = (type: string): number => all.filter(({ event }) => event.type === type).length
    expect(count('TurnSpent')).toBe(count('AgentStarted'))
  })
})
