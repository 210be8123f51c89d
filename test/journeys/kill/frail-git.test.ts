// A whole delivery by the built binary, while one git child after the other dies by a signal: nobody has to help.
import { describe, expect, it } from 'vitest'
import { type Death, frailGit, type Moment, shares } from '../../contract/git/frail-git.ts'
import { exits } from '../binary.ts'
import { story, Yard } from '../yard.ts'
import { type End, endOf, problemsOf } from './end.ts'
import { inOrder } from './matrix.ts'

const plan = [story('one'), story('two', { dependsOn: ['one'] })]

async function delivered(deaths: Death[]) {
  const frail = frailGit()
  frail.diesAt(...deaths)
  const yard = new Yard()
  const env = { PATH: `${frail.folder}:${process.env.PATH}` }
  const { stderr } = exits(await yard.start(yard.planArgs(plan), { env }).done, 0)
  const end = await endOf(yard)
  const noted = end.events.flatMap(({ event }) => (event.type === 'HiccupNoted' ? [event.text] : []))
  return { yard, frail, end, told: [stderr, ...noted].join('\n') }
}

/** Every so manieth place, one after the other of the three moments; with 1, all places at all moments. */
const every = Number(process.env.ROPEWALK_FRAIL_EVERY ?? 3)
const moments: Moment[] = ['before', 'in', 'after']

function deathsAt(places: number): Death[] {
  const chosen = Array.from({ length: Math.ceil(places / every) }, (_, at) => 1 + at * every)
  if (every === 1) return moments.flatMap((moment) => chosen.map((place) => ({ place, moment })))
  return chosen.map((place, at) => ({ place, moment: moments[at % moments.length]! }))
}

async function problemsWith(deaths: Death[], calm: End): Promise<string[]> {
  const about = deaths.map(({ place, moment }) => `${moment} ${place}`).join(', ')
  try {
    const { yard, frail, end, told } = await delivered(deaths)
    const problems = await problemsOf(yard, end, calm)
    if (end.turns !== calm.turns) problems.push(`${end.turns} turns`)
    for (const command of frail.died())
      if (!command.split(' ').some((word) => told.includes(`git ${word} was ended by SIGKILL`)))
        problems.push(`not told: ${command}`)
    return problems.map((problem) => `${about}: ${problem}`)
  } catch (error) {
    return [`${about}: ${(error as Error).message.slice(0, 600)}`]
  }
}

describe('a git child that dies by a signal in a delivery', () => {
  it('is no matter, wherever it is: the same end, by itself, told, and no story is charged', {
    timeout: 3_600_000,
  }, async () => {
    const calm = await delivered([])
    const places = calm.frail.asked()
    expect(places).toBeGreaterThan(20)
    const all = shares(deathsAt(places))
    const problems = await inOrder(all, 2, async (deaths) => {
      const found = await problemsWith(deaths, calm.end)
      if (every === 1)
        console.log(`${all.indexOf(deaths) + 1} of ${all.length} deliveries: ${found.join('\n') || 'ok'}`)
      return found
    })
    expect(problems.flat()).toEqual([])
  })
})
