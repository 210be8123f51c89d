// Rogue agents and broken worlds, each with an honest twin: against the built binary, and the function that reads a
// diff where nothing else is asked. `npm test` plays one rogue and one honest case for each line of the list of failures
// in each mechanism; `npm run test:gauntlet` plays them all.
import { afterAll, describe, it } from 'vitest'
import { type Case, mechanisms } from './case.ts'
import { cases } from './cases.ts'
import { play } from './play.ts'
import { readDiff } from './read-diff.ts'
import { inTurn, openScore } from './score.ts'

const score = openScore()

for (const mechanism of mechanisms)
  describe.concurrent(mechanism, () => {
    for (const one of chosen(cases[mechanism]))
      it(`${one.code} ${one.expect}: ${one.name}`, { timeout: 600_000 }, async () => {
        const isRogue = one.expect !== 'passes'
        try {
          await inTurn(() => (one.read === true ? readDiff(one) : play(one)))
          score.add(mechanism, isRogue ? 'caught' : 'passed')
        } catch (error) {
          score.add(mechanism, isRogue ? 'escaped' : 'blocked')
          throw error
        }
      })
  })

/** The first of each kind, and all that need no binary. */
function chosen(all: Case[]): Case[] {
  if (process.env.ROPEWALK_GAUNTLET === 'all') return all
  const kind = ({ code, expect }: Case): string => `${code} ${expect}`
  return all.filter((one, at) => one.read === true || all.findIndex((other) => kind(other) === kind(one)) === at)
}

afterAll(() => {
  process.stdout.write(`\n${score.lines().join('\n')}\n`)
})
