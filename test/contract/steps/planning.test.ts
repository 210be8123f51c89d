import { describe, expect, it } from 'vitest'
import { openYard } from './yard.ts'

const plans = (actions: unknown[]) =>
  openYard({ files: { 'a.txt': 'a\n' }, stories: null, script: [{ role: 'planner', do: actions }] })

describe('drafting a plan', () => {
  it('takes the planner’s answer, and its turn is in the ledger', async () => {
    const yard = await plans([{ result: { stories: [{ id: 'one', title: 'One' }] } }])
    const { ending, interims } = await yard.perform('DraftPlan')
    expect(ending).toMatchObject({
      type: 'PlanDrafted',
      revision: 1,
      plan: { stories: [{ id: 'one', complexity: 3 }] },
    })
    expect(interims.map((event) => event.type)).toEqual(['AgentStarted', 'SessionOpened', 'TurnSpent'])
    expect((await yard.state()).order).toEqual(['one'])
  })

  it('keeps no secret that the planner has read, nor one on its command line', async () => {
    const yard = await plans([{ result: { stories: [{ id: 'one', title: 'Log in with hunter2' }] } }])
    const drafted = await yard.perform('DraftPlan')
    expect(drafted.ending).toMatchObject({ plan: { stories: [{ title: 'Log in with [redacted]' }] } })
    const other = await plans([])
    const { policy } = await other.state()
    const agents = { mine: { ...policy!.agents.mine!, options: { script: 'hunter2.yaml' } } }
    await other.tell({ type: 'PolicyPinned', policy: { ...policy!, agents }, hash: 'p2' })
    const { interims } = await other.perform('DraftPlan')
    expect(interims[0]).toMatchObject({ type: 'AgentStarted', command: ['scripted', '[redacted].yaml'] })
  })

  it('drops what the planner changed, and says so', async () => {
    const yard = await plans([{ write: { 'a.txt': 'b\n' } }, { result: { stories: [{ id: 'one' }] } }])
    const { interims } = await yard.perform('DraftPlan')
    expect(interims.at(-1)).toMatchObject({ type: 'ConcernRaised', text: expect.stringContaining('a.txt') })
    expect((await yard.repository.checkout()).dirtyFiles).toEqual([])
  })

  it('names what is wrong with the graph, and the next draft hears it', async () => {
    const yard = await openYard({
      files: { 'a.txt': 'a\n' },
      stories: null,
      script: [
        { do: [{ result: { stories: [{ id: 'one', dependsOn: ['two'] }] } }] },
        { prompt: 'depends on two, which is not in the plan', do: [{ result: { stories: [{ id: 'one' }] } }] },
      ],
    })
    const { ending } = await yard.perform('DraftPlan')
    expect(ending).toMatchObject({ type: 'PlanFaulted', problems: ['one depends on two, which is not in the plan'] })
    expect((await yard.perform('DraftPlan')).ending).toMatchObject({ type: 'PlanDrafted' })
  })

  it('tells of a limit and faulted by a crash', async () => {
    const limited = await plans([{ limit: { resetsInMs: 60_000 } }])
    expect((await limited.perform('DraftPlan')).ending).toMatchObject({ type: 'AgentRefused', story: null })
    const crashed = await plans([{ crash: true }])
    expect((await crashed.perform('DraftPlan')).ending).toMatchObject({ type: 'PlanFaulted' })
  })
})
