// Rogue agents and broken worlds, each with an honest twin: against the built binary, and the function that reads a
// diff where nothing else is asked.
import { afterAll, describe, it } from 'vitest'
import { mechanisms } from './case.ts'
import { cases } from './cases.ts'
import { play } from './play.ts'
import { readDiff } from './read-diff.ts'
import { inTurn, openScore } from './score.ts'

const score = openScore()

for (const mechanism of mechanisms)
  describe.concurrent(mechanism, () => {
    for (const one of cases[mechanism])
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

afterAll(() => {
  process.stdout.write(`\n${score.lines().join('\n')}\n`)
})
