import { describe, expect, it } from 'vitest'
import { refuse } from '../../../test/simulation/endings.ts'
import { Player } from '../../../test/simulation/player.ts'
import { agent, policy, story, turnOf } from '../../../test/simulation/sample.ts'
import { statusView } from '../status.ts'
import { eventLine, verdictText } from './event-line.ts'

const pair = {
  agents: { mine: agent(), other: agent() },
  roles: { coder: ['mine', 'other'], planner: [], testWriter: [], verifier: [] },
}

describe('eventLine', () => {
  it('says that an agent refused, who goes on instead, and why', () => {
    const player = new Player(policy(pair), [story('a')])
    player.perform('CodeStory a', refuse('auth'))
    player.start('CodeStory a')
    expect(player.log.slice(-2).map((event) => eventLine(event).text)).toEqual([
      'mine cannot work now (auth): no (auth)',
      'coding by other (attempt 1, round 1), instead of mine (auth)',
    ])
    expect(statusView(player.state, 0)).toMatchObject({
      absences: [{ agent: 'mine', kind: 'auth', until: null, remedy: 'mend it' }],
      stories: [{ agent: 'other', because: 'instead of mine (auth)' }],
    })
  })

  it('says what the coder wants to be allowed, and what it was told', () => {
    const about = { step: 's', story: 'a', text: 'May I?', options: [], session: null }
    expect(eventLine({ type: 'CoderAsked', ...about, permission: 'edit' }).text).toBe(
      'the coder asks to be allowed: edit',
    )
    expect(eventLine({ type: 'CoderAsked', ...about, permission: null }).text).toBe('the coder asks: May I?')
    const player = new Player(policy(), [story('a')])
    player.tell({ type: 'TellStory', story: 'a', text: 'use tabs', by: 'ada' })
    expect(eventLine(player.log.at(-1)!)).toEqual({ story: 'a', text: 'told by ada: use tabs', notable: true })
    expect(statusView(player.state, 0).stories[0]?.told).toEqual(['use tabs'])
  })

  it('tells what holds a story back from what is only noted', () => {
    const finding = { source: 'witness', rule: 'r', file: null, line: null, evidence: '', fingerprint: 'f' } as const
    const text = (severity: 'note' | 'blocking') =>
      verdictText({
        status: 'findings',
        findings: [{ ...finding, severity, message: 'look', fixTarget: 'tests' }],
        failures: 1,
        proof: null,
        concerns: [],
      })
    expect(text('note')).toBe('passed; noted: look')
    expect(text('blocking')).toBe('1 finding: look')
  })

  it('tells an exact price from an estimate and from none', () => {
    const text = (given: Parameters<typeof turnOf>[1]) =>
      eventLine({ type: 'TurnSpent', step: 's', turn: turnOf('a', given), totals: null }).text
    expect(text({})).toBe('coder turn of mine: 2 tokens, $1.00')
    expect(text({ exact: false })).toBe('coder turn of mine: 2 tokens, $1.00 (estimated)')
    expect(text({ exact: false, price: 'unknown' })).toBe(
      'coder turn of mine: 2 tokens, price unknown, counted as $1.00 (estimated)',
    )
    expect(text({ exact: false, price: 'untold', usd: 0 })).toBe(
      'coder turn of mine: usage unknown, nothing set aside for it (estimated)',
    )
  })
})
