import { describe, expect, it } from 'vitest'
import { authoredOf } from '../../../../src/delivery/inputs/briefing.ts'
import { workMessage } from '../../../../src/steps/merge/message.ts'
import { git } from '../../user-repository.ts'
import { openYard } from '../yard.ts'
import { shop } from './sample.ts'

/** The subject of a story's commit, in a repository whose last commits say these. */
async function subjectIn(requirement: string, subjects: string[], title: string): Promise<string> {
  const yard = await openYard({ files: shop, stories: null, script: [], unread: true, requirement })
  for (const subject of subjects) git(yard.user, 'commit', '-q', '--allow-empty', '-m', subject)
  const base = await yard.repository.fetchTarget('main')
  const state = await yard.state()
  await yard.tell({ type: 'DeliveryRequested', ...state.request!, base })
  await yard.perform('HarvestContext')
  const plan = { stories: [{ ...(await storyOf()), title }], outline: null }
  await yard.tell({ type: 'PlanGiven', plan, revision: 1, cause: 'test' })
  return workMessage(authoredOf(await yard.state(), { story: 'one' })).subject
}

async function storyOf() {
  const yard = await openYard({ files: shop, stories: [{ id: 'one' }], script: [] })
  return (await yard.state()).stories.one!.spec
}

describe('the subject of a commit', () => {
  it('begins with the kind of work where the repository does it so', async () => {
    const prefixed = ['feat: one', 'fix: two', 'chore(ci): three']
    expect(await subjectIn('The total is wrong: fix it', prefixed, 'Mend the total')).toBe('fix: Mend the total')
    expect(await subjectIn('Show the total', prefixed, 'perf: faster')).toBe('perf: faster')
  })

  it('is the title elsewhere', async () => {
    expect(await subjectIn('The total is wrong: fix it', ['One', 'Two'], 'Mend the total')).toBe('Mend the total')
  })
})
