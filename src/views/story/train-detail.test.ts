import { describe, expect, it } from 'vitest'
import { composes, finds } from '../../../test/simulation/endings.ts'
import { Player } from '../../../test/simulation/player.ts'
import { policy, story, suite } from '../../../test/simulation/sample.ts'
import { statusView, whyView } from '../status.ts'
import { eventLine } from './event-line.ts'

const names = ['dates', 'parser', 'cli']

/** Coded and in one train. */
function coupled(ids = names): Player {
  const player = new Player(
    policy({ checks: [suite('merge')], limits: { checks: 1 } }),
    ids.map((id) => story(id)),
  )
  for (const id of ids) player.perform(`CodeStory ${id}`)
  for (const id of ids) player.perform(`ComposeLine ${id}`, composes())
  return player
}

const details = (player: Player) => statusView(player.state, 0).stories.map(({ detail }) => detail)

describe('what is said of a train', () => {
  it('is which stories are proven together', () => {
    const player = coupled()
    expect(details(player)).toEqual([
      'to be proven on the line',
      'to be proven together with dates',
      'to be proven together with dates and parser',
    ])
    player.start('Judge cli line check:test')
    expect(details(player)).toEqual([
      'is being proven together with cli',
      'is being proven together with cli',
      'proves dates, parser and cli together, by check:test',
    ])
  })
  it('is what joins the line, and after what', () => {
    const player = coupled()
    player.perform('Judge cli line check:test')
    expect(details(player)).toEqual([
      'proven, joins the line',
      'proven, joins the line after dates',
      'proven, joins the line after parser',
    ])
  })
  it('is who may be at fault', () => {
    const player = coupled([...names, 'docs'])
    player.perform('Judge docs line check:test', finds(1, 'broken'))
    player.perform('Judge parser line check:test', finds(1, 'broken'))
    player.start('Judge dates line check:test')
    expect(details(player)).toEqual([
      'by check:test',
      'one of dates and parser is at fault: finding out which',
      'waits until it is known which of dates or parser is at fault',
      'waits until it is known which of dates or parser is at fault',
    ])
  })
  it('is the same when one is alone', () => {
    const player = coupled(['dates'])
    player.start('Judge dates line check:test')
    expect(details(player)).toEqual(['by check:test'])
  })
  it('is in the history of the story that was judged with those ahead of it', () => {
    const player = coupled()
    player.perform('Judge cli line check:test', finds(1, 'broken'))
    const events = player.log.map((event, i) => ({ delivery: 'd', version: i + 1, at: i, event }))
    expect(whyView(player.state, 'cli', events)).toMatchObject({
      story: { word: 'proving', detail: 'one of dates, parser and cli is at fault: finding out which' },
      history: [{}, {}, { text: 'check:test on the line, with all that is ahead of it: 1 finding: broken' }],
    })
  })
})

it('a story that mends the result says so', () => {
  const player = new Player(policy({ checks: [suite('end')] }), [story('dates')])
  while (!player.due().includes('Judge whole check:test')) player.performFirst({})
  player.perform('Judge whole check:test', finds(1, 'broken'))
  player.start('AddFixStory')
  expect(statusView(player.state, 0).steps).toMatchObject([{ verb: 'AddFixStory' }])
  player.end(player.find('AddFixStory'))
  expect(eventLine(player.log.at(-1)!)).toEqual({
    story: 'mend-1',
    text: 'added to mend the result of all stories: broken',
    notable: true,
  })
})
