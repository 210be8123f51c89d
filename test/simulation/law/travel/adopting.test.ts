import { describe, expect, it } from 'vitest'
import { openQuestions } from '../../../../src/delivery/questions/due.ts'
import { fails } from '../../endings.ts'
import { Player } from '../../player.ts'
import { policy, story } from '../../sample.ts'

const by = 'somebody'
const repository = { id: 'here', path: '/here' }
const adopting = { type: 'AdoptDelivery', repository, target: 'theirs', policyHash: 'same', by } as const

/** As a file says it is: proven, on the line, and about to land. */
const imported = (until = 'Land', more = policy()): Player => {
  const player = new Player(more, [story('a'), story('b')])
  while (!player.due().includes(until)) player.performFirst({})
  player.record({ type: 'DeliveryImported', repository, by })
  return player
}

describe('what was imported', () => {
  it('has nothing due, whatever its file says, and belongs to the repository here', () => {
    const player = imported()
    expect(player.due()).toEqual([])
    expect(player.wakeAt()).toBeNull()
    expect(player.state.request?.repository).toEqual(repository)
  })

  it('asks nothing, and is not gone on with', () => {
    const player = new Player(policy({ unattended: false, limits: { attemptsPerStory: 1 } }), [story('a')])
    player.perform('CodeStory a', fails('empty'))
    player.perform('AskQuestion a')
    const [question] = openQuestions(player.state)
    player.record({ type: 'DeliveryImported', repository: null, by })
    expect(openQuestions(player.state)).toEqual([])
    expect(player.state.request?.repository.path).toBe('')
    const intents = [
      { type: 'ResumeDelivery', by },
      { type: 'StopDelivery', reason: '', by },
      { type: 'AnswerQuestion', question: question!.id, option: 'retry', text: '', by },
      { type: 'RepinPolicy', policy: policy(), policyHash: 'p', by },
      { type: 'RetryStory', story: 'a', advice: '', by },
    ] as const
    for (const intent of intents)
      expect(player.tell(intent)).toMatchObject({
        refused: expect.stringMatching(/imported/),
        remedy: expect.stringMatching(/adopt/),
      })
  })

  it('stays so when its file says that somebody has adopted it', () => {
    const player = imported('CodeStory a')
    player.tell({ ...adopting, policy: policy() })
    expect(player.due()).not.toEqual([])
    player.record({ type: 'DeliveryImported', repository, by })
    expect(player.due()).toEqual([])
  })
})

describe('what was adopted', () => {
  it('is proven again before it lands, and on the target that is here', () => {
    const player = imported()
    const before = player.performed.length
    player.tell({ ...adopting, policy: policy() })
    expect(player.status('a')).toBe('judging')
    expect(player.state.line).toMatchObject({ tip: 'theirs', target: 'theirs', commits: [] })
    player.run()
    const since = player.performed.slice(before)
    const landing = since.findIndex(({ verb }) => verb === 'Land')
    const judged = since.slice(0, landing).filter(({ verb }) => verb === 'Judge')
    expect(judged.filter((step) => 'scope' in step && step.scope !== 'story').length).toBeGreaterThan(0)
    expect(new Set(judged.map((step) => step.story))).toContain('a')
    expect(since.filter(({ verb }) => verb === 'CodeStory')).toEqual([])
    expect(player.state.mode).toMatchObject({ status: 'ended' })
    expect(player.state.concerns.join()).toMatch(/imported .* adopted by somebody/)
  })

  it('counts no waiver and no permission of elsewhere', () => {
    const player = imported()
    player.story('a').waived = ['f']
    player.story('a').grants = ['execute: rm']
    player.tell({ ...adopting, policy: policy() })
    expect(player.story('a')).toMatchObject({ waived: [], grants: [], thisAttempt: { session: null } })
  })

  it('is adopted once, and only what was imported', () => {
    const player = imported()
    player.tell({ ...adopting, policy: policy() })
    expect(player.tell({ ...adopting, policy: policy() })).toMatchObject({
      refused: expect.stringMatching(/not imported/),
    })
    expect(imported().tell({ ...adopting, policy: { ...policy(), target: 'other' } })).toMatchObject({
      refused: expect.stringMatching(/cannot go to other/),
    })
  })
})
