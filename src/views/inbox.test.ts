import { describe, expect, it } from 'vitest'
import { finds } from '../../test/simulation/endings.ts'
import { Player } from '../../test/simulation/player.ts'
import { policy, story } from '../../test/simulation/sample.ts'
import { inboxOf } from './inbox.ts'

describe('what a person sees before they answer', () => {
  it('tells each attempt and each finding once', () => {
    const limits = { attemptsPerStory: 1, roundsPerAttempt: 1 }
    const player = new Player(policy({ limits, unattended: false }), [story('a', { complexity: 1 })])
    player.run({ Judge: finds(1, 'broken') })
    const [item] = inboxOf(player.state)
    expect(item?.question.kind).toBe('escalation')
    expect(item?.evidence.filter((line) => /attempt 1/.test(line))).toHaveLength(1)
    expect(item?.evidence.filter((line) => /^- check:/.test(line))).toHaveLength(1)
  })
})
