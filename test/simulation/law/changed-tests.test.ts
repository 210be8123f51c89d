import { describe, expect, it } from 'vitest'
import type { Policy } from '../../../src/delivery/policy.ts'
import { openQuestions } from '../../../src/delivery/questions/due.ts'
import { noHandoff } from '../../../src/delivery/story/handoff.ts'
import { checkDefaults } from '../../default-settings.ts'
import { codes, type Ending, finds } from '../endings.ts'
import { Player } from '../player.ts'
import { policy, story } from '../sample.ts'

const checks = [{ ...checkDefaults, name: 'test', run: 'test', timeoutMs: 1000 }]
const judges = ['check:test', 'guard:test']
const fails = finds(1, 'the test "adds", as it was before, fails on this change: 3 is not 2')
const maintains =
  (test: string): Ending =>
  (step) => ({
    ...(codes()(step) as Extract<ReturnType<Ending>, { type: 'StoryCoded' }>),
    handoff: {
      ...noHandoff,
      quality: 'full',
      changedTests: [{ test, why: 'it multiplies now', criterion: 'the first' }],
    },
  })

/** Sent back once, and here again. */
function contested(given: Policy, said = 'test/sum.test.js: adds'): Player {
  const player = new Player(given, [story('a')])
  for (const ending of [codes(), maintains(said)]) {
    player.perform('CodeStory a', ending)
    player.perform('Judge a check:test')
    player.perform('Judge a guard:test', fails)
  }
  return player
}

describe('old tests that fail', () => {
  it('go back to the coder first, whatever it says', () => {
    const player = new Player(policy({ checks, judges, unattended: false }), [story('a')])
    player.perform('CodeStory a', maintains('adds'))
    player.perform('Judge a check:test')
    player.perform('Judge a guard:test', fails)
    expect(player.status('a')).toBe('coding')
  })

  it('are a question when the coder maintains that they have to change', () => {
    const player = contested(policy({ checks, judges, unattended: false }))
    expect(player.status('a')).toBe('contested')
    player.perform('AskQuestion a')
    const [question] = openQuestions(player.state)
    expect(question).toMatchObject({ kind: 'changed-tests', default: null })
    expect(question!.evidence).toMatch(/it multiplies now[\s\S]*as it was before/)
    player.tell({ type: 'AnswerQuestion', question: question!.id, option: 'accept', text: '', by: 'somebody' })
    expect(player.story('a').waived).toHaveLength(1)
    expect(player.due()).toContain('ComposeLine a')
    expect(player.state.concerns).toEqual([
      expect.stringMatching(/^a changes what an old test expects: adds; its coder/),
    ])
  })

  it('go back with a no, which costs no attempt', () => {
    const player = contested(policy({ checks, judges, unattended: false }))
    player.perform('AskQuestion a')
    const { id } = openQuestions(player.state)[0]!
    player.tell({ type: 'AnswerQuestion', question: id, option: 'reject', text: 'They hold.', by: 'somebody' })
    expect(player.find('CodeStory a')).toMatchObject({ findings: [{ message: 'They hold.' }, {}] })
    expect(player.story('a').tally).toMatchObject({ rounds: 1, attempts: 1 })
  })

  it('are findings like others when the coder maintains nothing, or others', () => {
    expect(contested(policy({ checks, judges, unattended: false }), 'divides').status('a')).toBe('coding')
  })

  const alone = (changedTests: Policy['changedTests'], reviewers: Policy['review']['reviewers']) => {
    const given = policy({ checks, judges, unattended: true, changedTests })
    return contested({ ...given, review: { ...given.review, reviewers } })
  }
  const seat: Policy['review']['reviewers'] = [{ vantage: 'correctness', agents: ['mine'] }]

  it('are, where nobody is there, what the settings say', () => {
    expect(alone('ask', []).status('a')).toBe('contested')
    expect(alone('reviewers', seat).status('a')).toBe('reviewing')
    for (const player of [alone('block', seat), alone('reviewers', [])]) {
      expect(player.status('a')).toBe('failed')
      expect(player.story('a').control).toMatchObject({ reason: expect.stringMatching(/maintains .*: adds$/) })
    }
  })
})
