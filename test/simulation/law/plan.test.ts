import { describe, expect, it } from 'vitest'
import { sharingFiles } from '../../../src/delivery/plan/planning.ts'
import { planProblems } from '../../../src/delivery/plan/validate.ts'
import { drafts } from '../endings.ts'
import { Player } from '../player.ts'
import { policy, story } from '../sample.ts'

const problems = (...stories: ReturnType<typeof story>[]): string[] => planProblems({ outline: null, stories }, 500)

describe('a plan is refused by name', () => {
  it('when it is empty or too large', () => {
    expect(problems()).toEqual(['the plan has no stories'])
    const large = Array.from({ length: 501 }, (_, i) => story(`s${i}`))
    expect(problems(...large)[0]).toMatch(/501 stories; at most 500/)
    expect(problems(...large.slice(1))).toEqual([])
  })
  it('when stories depend on each other in a circle', () => {
    const circle = [
      story('a', { dependsOn: ['c'] }),
      story('b', { dependsOn: ['a'] }),
      story('c', { dependsOn: ['b'] }),
    ]
    expect(problems(...circle)).toEqual(['the stories depend on each other in a circle: a → c → b → a'])
  })
  it('when a dependency is unknown or the story itself', () => {
    expect(problems(story('a', { dependsOn: ['x', 'a'] }))).toEqual([
      'a depends on x, which is not in the plan',
      'a depends on itself',
    ])
  })
  it('when ids are the same, differ in case only, or look like paths', () => {
    expect(problems(story('a'), story('a'))).toEqual(['two stories have the id a'])
    expect(problems(story('a'), story('A'))).toEqual(['story ids a and A differ only in case'])
    for (const id of ['../x', 'a/b', '', '.git', 'con', 'a..b', '-x', 'x.lock', 'ä', 'x'.repeat(65)])
      expect(problems(story(id)), id).toHaveLength(1)
  })
  it('when a declared path leaves the repository', () => {
    for (const path of ['/etc/passwd', '../x', 'a/../../x', ' '])
      expect(problems(story('a', { files: [path] })), path).toHaveLength(1)
    expect(problems(story('a', { mayChange: ['/x'] }))).toHaveLength(1)
    expect(problems(story('a', { files: ['src/a..b.js', 'src/[x].ts'] }))).toEqual([])
  })
  it('but not for being a chain of 500, nor for its order', () => {
    const chain = Array.from({ length: 500 }, (_, i) => story(`s${i}`, { dependsOn: i === 0 ? [] : [`s${i - 1}`] }))
    expect(problems(...chain)).toEqual([])
    expect(problems(...chain.reverse())).toEqual([])
    expect(sharingFiles({ outline: null, stories: chain }).size).toBe(500)
  })
})

describe('stories that declare the same file', () => {
  const stories = [
    story('b', { dependsOn: ['a'], files: ['x'] }),
    story('a', { files: ['x'] }),
    story('c', { files: ['x'] }),
  ]

  it('follow one another, what is depended on first', () => {
    expect([...sharingFiles({ outline: null, stories })]).toEqual([
      ['a', []],
      ['b', ['a']],
      ['c', ['a', 'b']],
    ])
  })
  it('are worked one at a time', () => {
    const player = new Player(policy(), stories)
    expect(player.due()).toEqual(['CodeStory a'])
    player.perform('CodeStory a')
    expect(player.due()).toEqual(['Judge a check:test'])
    expect(player.run().result()).toBe('done')
  })
  it('are put in order again when one is amended', () => {
    const player = new Player(policy(), stories)
    player.tell({ type: 'AmendStory', story: 'c', changes: { files: ['y'] }, by: 'somebody' })
    expect(player.due()).toEqual(['CodeStory a', 'CodeStory c'])
  })
})

describe('a drafted plan', () => {
  const planned = policy({ roles: { coder: ['mine'], planner: ['mine'] }, gates: 'plan', unattended: false })
  const drafted = () => {
    const player = new Player(planned, null)
    player.perform('DraftPlan', drafts({ outline: null, stories: [story('a')] }))
    player.perform('AskQuestion')
    return player
  }

  it('waits at the gate, and starts when it is approved', () => {
    const player = drafted()
    expect(player.due()).toEqual([])
    player.answer('approve')
    expect(player.due()).toEqual(['CodeStory a'])
  })
  it('is drafted again with the reason of its rejection', () => {
    const player = drafted()
    player.answer('reject', 'too small')
    expect(player.find('DraftPlan')).toMatchObject({ revision: 2, feedback: ['too small'] })
  })
  it('that was given and rejected ends the delivery when nobody drafts', () => {
    const player = new Player(policy({ gates: 'plan' }), [story('a')]).run()
    player.answer('reject', 'no')
    player.run()
    expect(player.state.mode).toMatchObject({ result: 'blocked', reason: 'the plan was rejected: no' })
  })
})
