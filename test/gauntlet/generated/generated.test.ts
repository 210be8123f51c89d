// Some sixty generated rogues and honest twins against the built binary: the same in every run, so that a red one
// speaks of the change. `npm run gauntlet` draws fresh ones.
import { afterAll, describe, expect, it } from 'vitest'
import { generate, type Made } from './generate.ts'
import { type End, judge } from './judge.ts'
import { runnersHere } from './runners.ts'

const seed = Number(process.env.ROPEWALK_GAUNTLET_SEED ?? 1)
const fromNpm = ['vitest', 'jest', 'mocha']
const runners = runnersHere({ install: false }).filter((name) => !fromNpm.includes(name))
const cases = generate({ seed, rogues: 45, honest: 15, runners })
let free = 2
const waiting: (() => void)[] = []
const score: Record<End, number> = { caught: 0, escaped: 0, passed: 0, blocked: 0, invalid: 0 }

describe.concurrent(`the generated gauntlet, seed ${seed}`, () => {
  for (const one of cases)
    it(one.name, { timeout: 900_000 }, async () => {
      await turn()
      await expectHeld(one).finally(giveBack)
    })
})

afterAll(() => {
  const { caught, escaped, passed, blocked, invalid } = score
  process.stdout.write(
    `\ngenerated with ROPEWALK_GAUNTLET_SEED=${seed}: caught ${caught}, escaped ${escaped}, passed ${passed}, blocked ${blocked}, left out ${invalid}\n`,
  )
  expect(invalid, 'cases that are not what they claim to be').toBeLessThan(cases.length / 4)
})

/** What is no rogue in truth proves nothing, and is left out. */
async function expectHeld(one: Made): Promise<void> {
  const { end, why } = await judge(one)
  score[end] += 1
  expect(end, why).not.toMatch(/escaped|blocked/)
}

/** The machine is shared with other tests: two at once, whatever the runner would start. */
async function turn(): Promise<void> {
  if (free > 0) free -= 1
  else await new Promise<void>((begin) => waiting.push(begin))
}

function giveBack(): void {
  const begin = waiting.shift()
  if (begin === undefined) free += 1
  else begin()
}
