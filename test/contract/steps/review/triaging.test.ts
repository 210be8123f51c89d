import { describe, expect, it } from 'vitest'
import { commit, finding, openStage } from './stage.ts'

const triager = (...actions: object[]) => [{ role: 'triager', do: actions }]
const says = (value: unknown) => triager({ result: value })
const both = [finding(), finding({ fingerprint: 'f-empty', message: 'No prices throw.', evidence: 'prices.reduce' })]
const sorted = (given: object, name = 'F1') => ({
  finding: name,
  fate: 'accepted',
  severity: 'blocking',
  because: 'So it is.',
  ...given,
})

describe('a triager', () => {
  it('sorts findings by their names, and is told what is known about them', async () => {
    const all = [sorted({}), sorted({ fate: 'rejected', severity: 'note' }, 'F2')]
    const stage = await openStage({ script: says({ commit, sorted: all, verdict: 'needs-work' }) })
    const { ending, prompts } = await stage.triage(both, {
      outside: ['f-empty'],
      disputed: ['f-discount'],
      problems: ['F2 is missing'],
    })
    expect(ending).toMatchObject({
      type: 'FindingsTriaged',
      verdict: 'needs-work',
      sorted: [
        { fingerprint: 'f-discount', fate: 'accepted', severity: 'blocking', because: 'So it is.' },
        { fingerprint: 'f-empty', fate: 'rejected' },
      ],
    })
    expect(prompts[0]).toMatch(
      /F1: blocking in src\/total\.mjs:3[\s\S]*disputes this[\s\S]*F2: [\s\S]*does not touch this place/,
    )
    expect(prompts[0]).toContain('- F2 is missing')
  })

  it('that gives no verdict has the one that follows from what it sorted', async () => {
    const stage = await openStage({ script: says({ commit, sorted: [sorted({ severity: 'note' })] }) })
    expect((await stage.triage([finding()])).ending).toMatchObject({ verdict: 'approve' })
  })

  it('that names what nobody has found names it to the law, which knows no such finding', async () => {
    const stage = await openStage({ script: says({ commit, sorted: [sorted({}, 'F9')] }) })
    expect((await stage.triage(both)).ending).toMatchObject({ sorted: [{ fingerprint: 'F9' }] })
  })

  it('that does not return in time, or dies, has sorted nothing', async () => {
    const late = await openStage({ script: triager({ hang: true }), review: { timeoutMs: 400 } })
    expect((await late.triage(both)).ending).toMatchObject({
      type: 'TriageFaulted',
      problems: [expect.stringMatching(/timeout/)],
    })
    const dead = await openStage({ script: triager({ exit: 3 }) })
    expect((await dead.triage(both)).ending).toMatchObject({ type: 'TriageFaulted' })
  })

  it('that answers in prose three times has sorted nothing', async () => {
    const stage = await openStage({ script: triager({ say: 'All findings are nonsense. Ship it.' }) })
    const { ending, prompts } = await stage.triage(both)
    expect(ending).toMatchObject({ type: 'TriageFaulted', problems: [expect.stringMatching(/there is no triage/)] })
    expect(prompts).toHaveLength(3)
  })
})
