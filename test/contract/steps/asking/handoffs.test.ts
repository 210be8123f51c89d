import { describe, expect, it } from 'vitest'
import type { Policy } from '../../../../src/delivery/policy.ts'
import { noHandoff } from '../../../../src/delivery/story/handoff.ts'
import { defaults } from '../../../default-settings.ts'
import { openYard, type Yard } from '../yard.ts'

const work = { write: { 'a.txt': 'b\n' } }
const decisions = [{ what: 'b instead of a', why: 'it was asked for' }]
const blocked = { kind: 'bad-spec', why: 'The criteria contradict each other.', evidence: 'a and not a' }

const codes = (actions: unknown[], policy: Partial<Policy> = {}, more: unknown[] = []): Promise<Yard> =>
  openYard({ files: { 'a.txt': 'a\n' }, stories: [{}], script: [{ do: [work, ...actions] }, ...more], policy })

describe('what a coder leaves beside its work', () => {
  it('is a handoff, in the outcome and whole', async () => {
    const yard = await codes([{ result: { decisions, limitations: 'No c.' } }, { say: 'Done.' }])
    const { ending } = await yard.perform('CodeStory')
    const handoff = { ...noHandoff, quality: 'full', decisions, limitations: ['No c.'] }
    expect(ending).toMatchObject({ type: 'StoryCoded', summary: 'Done.', handoff })
  })

  it('may be cut off: then it is asked for again, and its whole parts are kept where nothing better comes', async () => {
    const cut = JSON.stringify({ decisions: [...decisions, { what: 'c', why: 'unfinished' }] }).slice(0, -14)
    const yard = await codes([{ say: cut }], { limits: { ...defaults.limits, checks: 1, answerRetries: 1 } }, [
      { resumed: true, do: [{ say: 'That was all.' }] },
    ])
    const { ending, interims } = await yard.perform('CodeStory')
    expect(ending).toMatchObject({ handoff: { quality: 'partial', decisions } })
    expect(interims).toContainEqual(
      expect.objectContaining({ type: 'ConcernRaised', text: expect.stringMatching(/could not be read.*cut off/) }),
    )
    const better = await codes([{ say: cut }], {}, [{ resumed: true, do: [{ result: { decisions } }] }])
    const again = await better.perform('CodeStory')
    expect(again.ending).toMatchObject({ handoff: { quality: 'full', decisions } })
    expect(again.interims.filter(({ type }) => type === 'ConcernRaised')).toEqual([])
  })

  it('is what it said where it gave none, and nothing where it said nothing', async () => {
    const spoken = await codes([{ say: 'I used hunter2.' }])
    const notes = 'I used [redacted].'
    expect((await spoken.perform('CodeStory')).ending).toMatchObject({ handoff: { quality: 'partial', notes } })
    const silent = await codes([])
    expect((await silent.perform('CodeStory')).ending).toMatchObject({ type: 'StoryCoded', handoff: noHandoff })
  })

  it('is asked for again where the settings want it, and the work of both turns is taken', async () => {
    const again = {
      resumed: true,
      prompt: 'contract handoff 1',
      do: [{ write: { 'c.txt': 'c\n' } }, { result: { decisions } }],
    }
    const yard = await codes([{ say: 'Done.' }], { partialHandoff: 'retry' }, [again])
    const { ending, interims } = await yard.perform('CodeStory')
    expect(ending).toMatchObject({ type: 'StoryCoded', summary: 'Done.', handoff: { quality: 'full', decisions } })
    expect(interims.filter(({ type }) => type === 'TurnSpent')).toHaveLength(2)
    if (ending.type !== 'StoryCoded') throw new Error(ending.type)
    expect(await yard.repository.readFile(ending.commit, 'c.txt')).toBe('c\n')
  })

  it('is asked for again where it cannot be read, and then it is a concern', async () => {
    const again = { resumed: true, do: [{ result: { decisions: 7 } }] }
    const yard = await codes(
      [{ result: { decisions: 7 } }],
      { limits: { ...defaults.limits, checks: 1, answerRetries: 1 } },
      [again],
    )
    const { ending, interims } = await yard.perform('CodeStory')
    expect(ending).toMatchObject({ type: 'StoryCoded' })
    expect(interims.filter(({ type }) => type === 'TurnSpent')).toHaveLength(2)
    expect(interims).toContainEqual(
      expect.objectContaining({ type: 'ConcernRaised', text: expect.stringMatching(/could not be read.*decisions/) }),
    )
  })

  it('is not worth the work: a refusal of the second turn leaves it as it is', async () => {
    const again = { resumed: true, do: [{ limit: { resetsInMs: 60_000 } }] }
    const yard = await codes([{ say: 'Done.' }], { partialHandoff: 'retry' }, [again])
    expect((await yard.perform('CodeStory')).ending).toMatchObject({
      type: 'StoryCoded',
      handoff: { quality: 'partial' },
    })
  })

  it('calls for a human where the settings say so', async () => {
    const yard = await codes([{ say: 'Done.' }], { partialHandoff: 'escalate' })
    await yard.perform('CodeStory')
    expect((await yard.state()).stories.s1!.control).toMatchObject({
      status: 'escalated',
      reason: expect.stringContaining('partialHandoff'),
    })
  })

  it('is found by who finds the work after a kill', async () => {
    const yard = await codes([{ result: { decisions } }, { say: 'Done.' }])
    await yard.perform('CodeStory', { lose: true })
    const { ending, interims } = await yard.perform('CodeStory', { try: 2 })
    expect(ending).toMatchObject({ type: 'StoryCoded', summary: 'Done.', handoff: { quality: 'full', decisions } })
    expect(interims).toEqual([])
  })

  it('may be that the story cannot be done: nothing is taken over, and what it left is archived', async () => {
    const yard = await codes([{ result: { blocked } }])
    const { ending, interims } = await yard.perform('CodeStory')
    const { kind, why: message, evidence } = blocked
    expect(ending).toMatchObject({ type: 'CodingFailed', kind, message, evidence })
    expect(interims.map(({ type }) => type)).toContain('WorkArchived')
  })

  it('is not that, where somebody hands the work over and only quotes such words', async () => {
    const quoted = `The guide says to answer ${JSON.stringify({ blocked })} when it cannot be done; it can.`
    const yard = await codes([{ result: { decisions } }, { say: quoted }])
    expect((await yard.perform('CodeStory')).ending).toMatchObject({
      type: 'StoryCoded',
      handoff: { quality: 'full', decisions },
    })
    const said = await codes([{ say: `${quoted}\n${JSON.stringify({ decisions })}` }])
    expect((await said.perform('CodeStory')).ending).toMatchObject({ type: 'StoryCoded' })
    const both = await codes([{ result: { decisions, blocked } }])
    expect((await both.perform('CodeStory')).ending).toMatchObject({ type: 'CodingFailed', kind: 'bad-spec' })
    const spoken = await codes([{ say: JSON.stringify({ blocked }) }])
    expect((await spoken.perform('CodeStory')).ending).toMatchObject({ type: 'CodingFailed', kind: 'bad-spec' })
  })
})
