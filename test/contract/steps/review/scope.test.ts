// What nobody asked for, and whom a diff calls for.
import { describe, expect, it } from 'vitest'
import { approval, code, commit, finding, openStage, refusal, returned, wrong } from './stage.ts'

const says = (value: object) => [{ role: 'reviewer', do: [{ result: value }] }]
const more = `${code}export const audit = (line) => console.log(line)\n`
const creep = {
  ...{ severity: 'important', file: 'src/total.mjs', line: 1 },
  ...{ message: 'It prints an audit, which nobody asked for.', evidence: 'export const audit = (line)' },
}
const coder = [{ write: { 'src/total.mjs': more } }]

describe('what nobody asked for', () => {
  it('is asked of the one who looks at criteria, and becomes a finding with a rule of its own', async () => {
    const reviewers = (['correctness', 'criteria'] as const).map((vantage) => ({ vantage, agents: ['reader'] }))
    const stage = await openStage({ coder, script: says({ ...approval, scope: [creep] }), review: { reviewers } })
    const done = await stage.review({ vantage: 'criteria' })
    expect(done.prompts[0]).toContain('- "scope": what the change does that neither the requirement nor the story')
    const word = returned(done)
    // What is said holds the work up, whatever it calls its verdict; the place is corrected by the quotation.
    expect(word).toMatchObject({ verdict: 'needs-work', findings: [{ rule: 'scope', severity: 'important', line: 5 }] })
    expect(word.scope).toEqual([word.findings[0]!.fingerprint])
    const other = await stage.review({ id: 'r2' })
    expect(other.prompts[0]).not.toContain('- "scope"')
    expect(returned(other).scope).toHaveLength(1)
  })

  it('is nothing, nobody’s word, or a doubt: three things', async () => {
    const reviewers = (['correctness', 'criteria'] as const).map((vantage) => ({ vantage, agents: ['reader'] }))
    const none = await openStage({ script: says({ ...approval, scope: [] }), review: { reviewers } })
    expect(returned(await none.review({ vantage: 'criteria' })).scope).toEqual([])
    // Who was not asked has not looked for it.
    expect(returned(await none.review({ id: 'r2' })).scope).toBeUndefined()
    const silent = await openStage({ script: says(approval), review: { reviewers } })
    expect(returned(await silent.review({ vantage: 'criteria' })).scope).toBeUndefined()
  })

  it('is looked up like all else: what is not there is a note, and no finding about scope', async () => {
    const unfounded = { ...creep, evidence: 'export const spy = 1' }
    const stage = await openStage({ coder, script: says({ ...refusal, findings: [wrong], scope: [unfounded] }) })
    const word = returned(await stage.review())
    expect(word.findings.map(({ rule, severity }) => `${rule} ${severity}`)).toEqual([
      'review blocking',
      'review-unfounded note',
    ])
    expect(word.scope).toEqual([])
  })

  it('alone is enough for needs-work, and is asked for again where none of it can be looked up', async () => {
    const alone = await openStage({ coder, script: says({ ...refusal, findings: [], scope: [creep] }) })
    expect(returned(await alone.review())).toMatchObject({ verdict: 'needs-work' })
    const unfounded = { ...creep, evidence: 'export const spy = 1' }
    const stage = await openStage({ coder, script: says({ ...refusal, findings: [], scope: [unfounded] }) })
    const done = await stage.review()
    expect(done.prompts[1]).toMatch(/scope\[0\]\.evidence is not in src\/total\.mjs word for word/)
    expect(done.ending).toMatchObject({ word: { status: 'absent' } })
  })

  it('does not hold work up where the reviewer does not say how grave it is', async () => {
    const { severity: _, ...mild } = creep
    const stage = await openStage({ coder, script: says({ ...approval, scope: [mild] }) })
    expect(returned(await stage.review())).toMatchObject({ verdict: 'approve', findings: [{ severity: 'suggestion' }] })
  })

  it('is judged by the requirement and the story: the triager is told which findings are of that kind', async () => {
    const sorted = [{ finding: 'F1', fate: 'rejected', severity: 'note', because: 'The second sentence asks for it.' }]
    const stage = await openStage({ coder, script: [{ role: 'triager', do: [{ result: { commit, sorted } }] }] })
    const { prompts } = await stage.triage([finding({ rule: 'scope' })])
    expect(prompts[0]).toContain('### F1: blocking, beyond what was asked for, in src/total.mjs:3')
    expect(prompts[0]).toContain('judged by the requirement and the story alone')
  })

  it('cannot be told of work of which nobody says what it was to do', async () => {
    const stage = await openStage({ coder, script: says({ ...approval, scope: [creep] }) })
    const state = await stage.yard.state()
    const story = state.stories.one!
    const word = async (id: string, description: string) => {
      const spec = { ...story.spec, title: 'topic', description, criteria: [] }
      const about = { ...state, stories: { one: { ...story, kind: 'review' as const, spec } } }
      Object.assign(stage.yard, { state: async () => about })
      const done = await stage.review({ id })
      return { prompt: done.prompts[0]!, word: returned(done) }
    }
    const untold = await word('r2', '')
    expect(untold.prompt).not.toContain('- "scope"')
    expect(untold.word).toMatchObject({ verdict: 'approve', findings: [{ rule: 'scope', severity: 'note' }] })
    expect(untold.word.scope).toBeUndefined()
    const told = await word('r3', 'Take the discount off.')
    expect(told.prompt).toContain('- "scope"')
    expect(told.word.scope).toHaveLength(1)
  })
})

describe('an inspection', () => {
  it('says whom the diff calls for, and they have a seat of their own', async () => {
    const work = [
      { write: { 'src/auth/login.mjs': code, 'migrations/1.sql': 'select 1;\n', 'src/page.css': 'a {}\n' } },
    ]
    const script = says({ ...approval, checked: ['all'] })
    const stage = await openStage({ coder: work, script, policy: { judges: ['inspection'] } })
    const { ending } = await stage.yard.perform('Judge')
    expect(ending).toMatchObject({ judge: 'inspection', calls: ['security', 'migration', 'ui'] })
    const state = await stage.yard.state()
    expect(state.stories.one?.review.calls).toEqual(['security', 'migration', 'ui'])
    const first = await stage.review()
    // Two have a seat; from where else it must be looked at, the first is told.
    expect(first.prompts[0]).not.toContain('who means harm')
    expect(first.prompts[0]).toContain('the people who use it')
    const security = await stage.review({ id: 'r2', vantage: 'security' })
    expect(security.prompts[0]).toContain('who means harm')
    expect(security.prompts[0]).not.toContain('the people who use it')
  })
})
