// A whole delivery by the built binary, while one git child after the other dies by a signal: nobody has to help.
import { describe, expect, it } from 'vitest'
import { frailGit, type Moment } from '../../contract/git/frail-git.ts'
import { exits } from '../binary.ts'
import { story, Yard } from '../yard.ts'
import { endOf, problemsOf } from './end.ts'

const plan = [story('one')]

async function delivered(place: number, moment: Moment) {
  const frail = frailGit()
  frail.diesAt(place, moment)
  const yard = new Yard()
  const env = { PATH: `${frail.folder}:${process.env.PATH}` }
  exits(await yard.start(yard.planArgs(plan), { env }).done, 0)
  return { yard, frail, end: await endOf(yard) }
}

/** Every so manieth place, one after the other of the three moments; with 1, all places at all moments. */
const every = Number(process.env.ROPEWALK_FRAIL_EVERY ?? 12)
const moments: Moment[] = ['before', 'in', 'after']

describe('a git child that dies by a signal in a delivery', () => {
  it('is no matter, wherever it is: the same end, by itself, and no story is charged', {
    timeout: 3_600_000,
  }, async () => {
    const calm = await delivered(0, 'before')
    const places = calm.frail.asked()
    expect(places).toBeGreaterThan(40)
    const problems: string[] = []
    let tried = 0
    for (let place = 1; place <= places; place += every)
      for (const moment of every === 1 ? moments : [moments[tried % moments.length]!]) {
        tried += 1
        const command = `${moment} ${place}: ${calm.frail.commands()[place - 1]}`
        try {
          const { yard, end } = await delivered(place, moment)
          problems.push(...(await problemsOf(yard, end, calm.end)).map((problem) => `${command}: ${problem}`))
          if (end.turns !== calm.end.turns) problems.push(`${command}: ${end.turns} turns`)
        } catch (error) {
          problems.push(`${command}: ${(error as Error).message.slice(0, 600)}`)
        }
      }
    console.log(`${tried} of ${places * 3} deaths tried, ${problems.length} problems`)
    expect(problems).toEqual([])
  })
})
