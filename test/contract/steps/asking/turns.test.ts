import { describe, expect, it } from 'vitest'
import type { Interim } from '../../../../src/delivery/events.ts'
import { defaults } from '../../../default-settings.ts'
import { assumption, said, shop } from '../intent/sample.ts'
import { agentOf, openYard, type Yard } from '../yard.ts'

const nonce = '$ROPEWALK_NONCE'
const answer = { result: { nonce, checked: [{ id: 'a1', verdict: 'holds', why: 'It is so.' }] } }
const look = (number: number) => ({ shell: `echo ${number} >> looked.txt; cp looked.txt ${number}.txt` })
const looks = (times: number) => Array.from({ length: times }, (_, at) => look(at + 1))

/** A challenger who may ask its model twice. */
async function checks(challenger: unknown[], limits: object = {}) {
  const yard = await openYard({
    files: shop,
    stories: null,
    script: [],
    requirement: 'The total of an invoice is shown: `total(positions)` returns it',
    policy: {
      agents: {
        mine: agentOf([{ do: [...looks(4), { result: said('It', { assumptions: [assumption('It is so')] }) }] }]),
        other: agentOf(challenger),
      },
      roles: {
        ...{ coder: ['mine'], planner: ['mine'], testWriter: [], verifier: [], triager: [] },
        ...{ interpreter: ['mine'], challenger: ['other'] },
      },
      limits: { ...defaults.limits, checks: 1, challengerTurns: 2, ...limits },
    },
  })
  const read = await yard.perform('ReadRequirement')
  return { yard, read, ...(await yard.perform('CheckAssumptions')) }
}

const startsIn = (interims: Interim[]) => interims.filter((event) => event.type === 'AgentStarted')

async function promptsOf(yard: Yard, interims: Interim[]): Promise<string[]> {
  const digests = startsIn(interims).map(({ promptDigest }) => promptDigest)
  return await Promise.all(digests.map(async (digest) => Buffer.from((await yard.world.blobs.get(digest))!).toString()))
}

describe('a challenger who goes on beyond its turns', () => {
  it('is stopped, and gives in the same session what it knows; who reads what is meant has no such bound', async () => {
    const { yard, read, ending, interims } = await checks([
      { do: [...looks(9), answer] },
      { resumed: true, prompt: 'no more time to look', do: [{ shell: 'cat looked.txt > seen.txt' }, answer] },
    ])
    expect(read.ending).toMatchObject({ type: 'RequirementRead' })
    expect(ending).toMatchObject({ type: 'AssumptionsChecked', checked: [{ id: 'a1', verdict: 'holds' }] })
    const [first, last, ...more] = await promptsOf(yard, interims)
    expect(first).toContain('After 2 turns you are stopped')
    expect(last).toContain('call no tool except to give it')
    expect(more).toEqual([])
    const sessions = interims.flatMap((event) => (event.type === 'SessionOpened' ? [event.session] : []))
    expect(new Set(sessions).size).toBe(1)
    expect(interims.filter(({ type }) => type === 'TurnSpent')).toHaveLength(2)
  })

  it('is not asked again when it has answered already', async () => {
    const { ending, interims } = await checks([{ do: [look(1), answer, look(2), look(3)] }])
    expect(ending).toMatchObject({ checked: [{ verdict: 'holds' }] })
    expect(startsIn(interims)).toHaveLength(1)
  })

  it('is absent when it goes on again, after one more turn', async () => {
    const { ending, interims } = await checks([{ do: [...looks(9), answer] }])
    expect(ending).toMatchObject({
      checked: [{ verdict: 'unknown', evidence: expect.stringContaining('(limits.challengerTurns)') }],
    })
    expect(startsIn(interims)).toHaveLength(2)
  })

  it('is left alone within them', async () => {
    const { ending, interims } = await checks([{ do: [look(1), answer] }])
    expect(ending).toMatchObject({ checked: [{ verdict: 'holds' }] })
    expect(startsIn(interims)).toHaveLength(1)
  })
})
