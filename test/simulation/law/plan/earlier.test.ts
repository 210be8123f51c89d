import { describe, expect, it } from 'vitest'
import type { DeliveryEvent } from '../../../../src/delivery/events.ts'
import { lift } from '../../../../src/ports/log/lift.ts'
import { drafts, finds } from '../../endings.ts'
import { Player } from '../../player.ts'
import { policy, requested, story } from '../../sample.ts'

const limits = { attemptsPerStory: 1, roundsPerAttempt: 1 }
const pinned = policy({ unattended: false, limits, roles: { planner: ['mine'] } })
const begun = requested(pinned, null).map((event) => lift(4, event))
const large = story('a', { complexity: 5, files: ['ropewalk.yaml'] })

/** A planner's plan, and work that no attempt could make pass. */
function failed(history: DeliveryEvent[], plan = large): Player {
  const player = new Player(pinned, null, history)
  player.perform('DraftPlan', drafts({ stories: [plan], outline: null }))
  player.perform('CodeStory a')
  player.perform('Judge a check:test', finds())
  return player
}

describe('a delivery whose settings were pinned by an earlier version', () => {
  it('goes as it went then: what its log tells of is still so', () => {
    expect(failed(begun).status('a')).toBe('escalated')
  })
  it('works beside each other what was begun so, whose folders say otherwise today', () => {
    const stories = [story('a', { files: ['src'] }), story('b', { files: ['src/b.js'] })]
    const coding = (history: DeliveryEvent[]) => {
      const player = new Player(pinned, null, history)
      player.perform('DraftPlan', drafts({ stories, outline: null }))
      return player.due()
    }
    const earlier = requested(pinned, null).map((event) => lift(5, event))
    expect(coding(earlier)).toEqual(['CodeStory a', 'CodeStory b'])
    expect(coding(requested(pinned, null))).toEqual(['CodeStory a'])
  })
  it('goes as others do from when they are pinned anew', () => {
    const again: DeliveryEvent = { type: 'PolicyPinned', policy: pinned, hash: 'p2' }
    expect(failed([...begun, again], story('a', { complexity: 5 })).status('a')).toBe('respecifying')
  })
})
