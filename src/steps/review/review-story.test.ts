import { expect, it } from 'vitest'
import { says } from '../../../test/simulation/endings.ts'
import { approval, reviewed } from '../../../test/simulation/judgement-sample.ts'
import { Player } from '../../../test/simulation/player.ts'
import { policy, story } from '../../../test/simulation/sample.ts'
import { inputOf } from '../../delivery/inputs/input.ts'
import type { ReviewInput } from '../../delivery/inputs/judging.ts'
import type { ReviewStory } from '../../delivery/step.ts'
import type { ReviewAnswer } from '../../roles/reviewer/prompt.ts'
import { itemsIn } from './review-story.ts'

/** Two stories of a plan that wants two things looked at; the second waits for the first. */
function atReviewOf(): Player {
  const player = new Player(policy(reviewed()), [story('a'), story('b', { dependsOn: ['a'] })])
  const checklist = ['no globals', 'all callers use it'].map((item) => ({ must: true, item }))
  player.state.plan.plan = { ...player.state.plan.plan!, outline: { checklist } as never }
  return player
}

const coded = (player: Player, id: string): ReviewInput => {
  player.perform(`CodeStory ${id}`)
  player.perform(`Judge ${id} check:test`)
  const step = player.find(`ReviewStory ${id} criteria`) as ReviewStory
  return inputOf(player.state, step)
}
const review = (...states: ('passed' | 'failed' | 'unverifiable')[]): ReviewAnswer => ({
  ...{ commit: '', verdict: 'approve', findings: [], checked: ['all'], criteria: [], scope: null },
  checklist: states.map((state, index) => ({ number: index + 1, state, why: 'seen' })),
})
const statesOf = (input: ReviewInput, said: ReviewAnswer) =>
  itemsIn({ input }, said).checklist.map(({ item, state }) => `${item}: ${state}`)

it('what a later story of the plan may bring is not yet told; what has failed is', () => {
  const first = coded(atReviewOf(), 'a')
  expect(first.asked).toMatchObject({ checklist: ['no globals', 'all callers use it'], isPart: true })
  expect(statesOf(first, review('passed', 'unverifiable'))).toEqual(['no globals: passed'])
  expect(statesOf(first, review('failed', 'unverifiable'))).toEqual(['no globals: failed'])
})

it('the last story is told as a whole, but for what was found to hold before', () => {
  const player = atReviewOf()
  const first = coded(player, 'a')
  const { checklist } = itemsIn({ input: first }, review('passed', 'unverifiable'))
  player.perform('ReviewStory a correctness')
  player.perform('ReviewStory a criteria', says({ ...approval, checklist }))
  for (const name of ['ComposeLine a', 'Judge a line check:test', 'AdvanceLine a']) player.perform(name)
  const last = coded(player, 'b')
  expect(last.asked.isPart).toBe(false)
  expect(statesOf(last, review('unverifiable', 'unverifiable'))).toEqual(['all callers use it: unverifiable'])
  expect(statesOf(last, review())).toEqual(['all callers use it: unverifiable'])
})
