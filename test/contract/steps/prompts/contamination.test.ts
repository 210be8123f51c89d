import { describe, expect, it } from 'vitest'
import { briefingOf } from '../../../../src/delivery/inputs/briefing.ts'
import type { Handoff } from '../../../../src/delivery/story/handoff.ts'
import { assemble } from '../../../../src/roles/prompt/prompt.ts'
import { type PromptName, promptNames } from '../../../../src/roles/prompt/sections.ts'
import { settingFor } from '../../../../src/steps/agent/setting.ts'
import { openYard } from '../yard.ts'

const canary = (where: string): string => `canary-${where}-`

/** Whatever an author can say about its own work, and about what was told to it. */
const handoff: Handoff = {
  quality: 'partial',
  decisions: [{ what: canary('decided'), why: canary('decided') }],
  rejected: [{ what: canary('rejected'), why: canary('rejected') }],
  limitations: [canary('limitation')],
  tests: [canary('tests')],
  files: [canary('files')],
  deviations: [{ from: canary('deviation'), why: canary('deviation'), material: true }],
  corrections: [{ assumption: canary('correction'), fact: canary('correction'), evidence: canary('correction') }],
  changedTests: [],
  notes: canary('notes'),
}

const own = ['decided', 'rejected', 'limitation', 'deviation', 'notes']
const seenBy: Partial<Record<PromptName, string[]>> = {
  coder: [...own, 'tests', 'files', 'correction', 'ended', 'summary'],
  'planner-story': [...own, 'correction'],
  'test-writer': ['correction'],
  'test-writer-acceptance': ['correction'],
}

const files = {
  'STANDARDS.md': 'Functions are short.\n',
  'AGENTS.md': 'of the root\n',
  'src/AGENTS.md': 'of src\n',
  'src/api/AGENTS.md': 'of the api\n',
  'src/api/CLAUDE.md': 'of the api\n',
  'src/other/AGENTS.md': 'of others\n',
}

async function standing() {
  const stories = [{ id: 'one' }, { id: 'two', dependsOn: ['one'] }]
  const yard = await openYard({ files, stories, script: [], policy: { constitution: 'STANDARDS.md' } })
  const state = await yard.state()
  for (const id of ['one', 'two']) {
    const story = state.stories[id]!
    Object.assign(story, { handoff, summary: canary('summary'), turn: 1 })
    story.thisAttempt.departures = handoff.deviations
    story.past = [{ attempt: 1, round: 1, agent: 'mine', ended: canary('ended'), signature: '' }]
  }
  state.corrections = handoff.corrections.map((one) => ({ ...one, story: 'one' }))
  state.concerns = [canary('concern')]
  await yard.world.memory.keep({
    repository: state.request!.repository.id,
    passes: { static: { at: 0, commit: '', inputs: '', facts: [{ about: 'tests', text: 'beside the sources' }] } },
  })
  const told = async (name: PromptName) => {
    const paths = ['src/api/a.ts', 'src/api/b.ts', 'lib/c.ts']
    const { world, repository } = yard
    const input = briefingOf(state, { story: 'two' })
    return assemble(name, await settingFor({ world, input, repository, step: { id: 's' }, try: 1 }, name, paths), [])
      .text
  }
  return { yard, state, told }
}

describe('what is known about a delivery', () => {
  it('reaches each role only as far as its row says: no judge hears what an author says of its work', async () => {
    const { told } = await standing()
    for (const name of promptNames) {
      const found = [...new Set([...(await told(name)).matchAll(/canary-(\w+)-/g)].map(([, where]) => where!))]
      expect({ [name]: found.sort() }).toEqual({ [name]: [...(seenBy[name] ?? [])].sort() })
    }
  })

  it('has the standards for all who write code or judge it, and the conventions of the folders in question', async () => {
    const { told } = await standing()
    for (const name of ['coder', 'test-writer', 'reviewer', 'test-writer-finding'] as const) {
      const text = await told(name)
      expect(text).toContain('Functions are short.')
      expect(text.match(/of the api/g)).toHaveLength(1)
      expect(text).toContain('for src/ and below, from src/AGENTS.md')
      expect(text).not.toMatch(/of the root|of others/)
    }
    for (const name of ['verifier', 'triager', 'challenger'] as const)
      expect(await told(name)).not.toContain('Functions are short.')
    expect(await told('planner')).toContain('beside the sources')
    expect(await told('reviewer')).not.toContain('beside the sources')
  })

  it('is the same bytes when it is asked for again', async () => {
    const { told } = await standing()
    for (const name of promptNames) expect(await told(name)).toBe(await told(name))
  })

  it('says which standards are missing', async () => {
    const { state, told } = await standing()
    state.policy!.constitution = 'NOWHERE.md'
    await expect(told('coder')).rejects.toThrow(/there is no NOWHERE\.md in the repository at \w+, which constitution/)
    expect(await told('planner')).toContain('Draft a plan')
  })

  it('names a file where too much was assumed wrongly to be told at once', async () => {
    const { state, told } = await standing()
    const many = Array.from({ length: 30 }, (_, n) => ({ ...state.corrections[0]!, fact: `${n} ${'x'.repeat(900)}` }))
    state.corrections = many
    expect(await told('coder')).toMatch(/What was assumed before[^#]*left out for length; read all of it in/)
    expect(await told('reviewer')).toContain('Review this change')
  })
})
