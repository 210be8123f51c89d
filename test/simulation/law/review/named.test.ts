import { expect, it } from 'vitest'
import { agentsThatLooked } from '../../../../src/delivery/review/course/record.ts'
import { says } from '../../endings.ts'
import { objection, remark, reviewed } from '../../judgement-sample.ts'
import { Player } from '../../player.ts'
import { policy, story } from '../../sample.ts'

const [first, second] = ['ReviewStory a correctness', 'ReviewStory a criteria'] as const

it('who approved a story as it is now is named as its reviewer, and nobody else', () => {
  const player = new Player(policy({ ...reviewed({ rebuttal: false }), roles: { triager: ['one'] } } as never), [
    story('a'),
  ])
  const code = () => ['CodeStory a', 'Judge a check:test'].map((name) => player.perform(name))
  code()
  player.perform(first, says(objection([remark('leaks')])))
  player.perform(second)
  expect(agentsThatLooked(player.log, 'a')).toEqual(['two'])
  player.perform('TriageFindings a')
  code()
  player.perform(first)
  expect(agentsThatLooked(player.log, 'a')).toEqual(['one'])
  player.perform(second)
  expect(agentsThatLooked(player.log, 'a')).toEqual(['one', 'two'])
  expect(agentsThatLooked(player.log, 'b')).toEqual([])
})
