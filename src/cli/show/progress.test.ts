import { expect, it } from 'vitest'
import { Player } from '../../../test/simulation/player.ts'
import { policy, story } from '../../../test/simulation/sample.ts'
import { rendered } from './line.ts'
import { openProgress } from './progress.ts'
import type { Screen } from './screen.ts'

const waiting = () => new Player(policy({ gates: 'plan', unattended: false }), [story('a')]).run().state

function fakeScreen(redraws: boolean) {
  let text = ''
  const write = (more: string) => {
    text += more
  }
  const screen = {
    ...{ json: false, colour: false, redraws, write, size: () => ({ columns: 80, rows: 24 }) },
    print: (...lines) => write(lines.map((line) => `${rendered(line, false)}\n`).join('')),
  } as Partial<Screen> as Screen
  return { screen, text: () => text }
}

const shown = (redraws: boolean, answeredElsewhere: boolean): string => {
  const { screen, text } = fakeScreen(redraws)
  const progress = openProgress(screen, { pulses: () => [], answeredElsewhere })
  progress.changed(waiting(), [])
  progress.changed(waiting(), [])
  progress.close('stays')
  return text()
}

it.each([true, false])('says how to answer what is not asked here (drawn: %j)', (redraws) => {
  const text = shown(redraws, true)
  expect(text).toMatch(/\? Go ahead with this plan/)
  expect(text.split('ropewalk answer plan-1 1 -d d')).toHaveLength(2)
})

it.each([true, false])('leaves it to whoever asks otherwise (drawn: %j)', (redraws) => {
  expect(shown(redraws, false)).not.toMatch(/ropewalk answer/)
})
