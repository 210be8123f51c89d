// Some sixty generated rogues and honest twins against the built binary: the same in every run, so that a red one
// speaks of the change. `npm run gauntlet` draws fresh ones.
import { afterAll, describe, expect, it } from 'vitest'
import { inTurn, openScore } from '../score.ts'
import { generate } from './generate.ts'
import { judge } from './judge.ts'
import { runnersHere } from './runners.ts'

const seed = Number(process.env.ROPEWALK_GAUNTLET_SEED ?? 1)
const here = runnersHere({ install: false })
// Drawn for all of them, and those left out whose runner is not here: the rest is the same on every machine.
const drawn = generate({ seed, rogues: 45, honest: 15, runners: ['node', 'pytest', 'cargo', 'go'] })
const cases = drawn.filter(({ work }) => here.includes(work.chain.name))
const score = openScore()

describe.concurrent(`the generated gauntlet, seed ${seed}`, () => {
  for (const one of cases)
    it(one.name, { timeout: 900_000 }, async () => {
      const { end, why } = await inTurn(() => judge(one))
      score.add(one.mechanism, end)
      // What is no rogue in truth proves nothing, and is left out.
      expect(end, why).not.toMatch(/escaped|blocked/)
    })
})

afterAll(() => {
  process.stdout.write(`\ngenerated with ROPEWALK_GAUNTLET_SEED=${seed}:\n${score.lines().join('\n')}\n`)
  expect(score.count('invalid'), 'cases that are not what they claim to be').toBeLessThan(cases.length / 4)
})
