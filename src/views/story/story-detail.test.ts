import { describe, expect, it } from 'vitest'
import { conflicts } from '../../../test/simulation/endings.ts'
import { Player } from '../../../test/simulation/player.ts'
import { policy, single, story, suite } from '../../../test/simulation/sample.ts'
import { statusView } from '../status.ts'
import { eventLine } from './event-line.ts'

const details = (player: Player) =>
  statusView(player.state, 0).stories.map(({ word, detail }) => `${word}: ${detail}`.trim())
const last = (player: Player) => eventLine(player.log.at(-1)!).text

describe('what is said of a story', () => {
  it('is that its tests come first, and who judges at last', () => {
    const player = new Player(policy({ strategy: 'three-session', checks: [single()] }), [story('tax')])
    player.start('CodeStory tax')
    expect(last(player)).toBe('writing tests that fail by mine (attempt 1, round 1)')
    expect(details(player)).toEqual(['coding: writing tests that fail'])
    player.end(player.find('CodeStory tax'))
    for (const name of ['Judge tax inspection', 'Judge tax red', 'CodeStory tax']) player.perform(name)
    for (const name of ['Judge tax inspection', 'Judge tax check:test']) player.perform(name)
    player.start('Review tax')
    expect(last(player)).toBe('being judged by verifier (mine)')
    expect(details(player)).toEqual(['judging: by verifier (mine)'])
  })
  it('is that it waits for acceptance tests, and these for it', () => {
    const player = new Player(policy({ acceptance: true, checks: [single()] }), [story('tax')])
    expect(details(player)[1]).toBe('waiting: after the tests of acceptance')
    for (const name of ['CodeStory acceptance', 'Judge acceptance inspection', 'Judge acceptance red'])
      player.perform(name)
    expect(details(player)).toEqual(['held: until all other stories are done', 'waiting: to be coded'])
    for (const name of ['CodeStory tax', 'Judge tax check:test', 'ComposeLine tax', 'Judge tax line check:test'])
      player.perform(name)
    for (const name of ['AdvanceLine tax', 'ComposeLine acceptance']) player.perform(name)
    expect(details(player)[0]).toBe('proving: joins the line, and runs on the result')
    player.perform('AdvanceLine acceptance')
    expect(last(player)).toMatch(/^on the line as /)
  })
  it('is with which one ahead it conflicts', () => {
    const player = new Player(policy({ checks: [suite('merge')] }), [story('tax'), story('cli')])
    for (const name of ['CodeStory tax', 'CodeStory cli', 'ComposeLine tax']) player.perform(name)
    player.perform('ComposeLine cli', conflicts)
    expect(details(player)[1]).toBe('composing: conflicts with tax: waits for the line')
  })
})
