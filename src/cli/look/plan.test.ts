import { describe, expect, it } from 'vitest'
import { fold, policy, requested, story } from '../../../test/simulation/sample.ts'
import { amendments } from './plan.ts'

const state = fold(requested(policy(), [story('a'), story('b', { dependsOn: ['a'] })]))
const b = story('b', { dependsOn: ['a'] })

describe('amendments', () => {
  it('are what differs, story by story', () => {
    expect(amendments(state, { stories: [story('a', { title: 'Better' }), b] })).toEqual([
      { story: 'a', changes: { title: 'Better' } },
    ])
    expect(amendments(state, { stories: [story('a'), b] })).toEqual([])
  })

  it('cannot add or remove stories, nor turn the graph around', () => {
    expect(() => amendments(state, { stories: [story('a')] })).toThrow(/neither come nor go: b/)
    expect(() => amendments(state, { stories: [story('a'), b, story('c')] })).toThrow(/neither come nor go: c/)
    expect(() => amendments(state, { stories: [story('a'), story('b')] })).toThrow(/depends on cannot be changed/)
  })
})
