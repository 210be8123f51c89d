// Rogue agents and broken worlds against the built binary, each with an honest twin.
import { afterAll, describe, it } from 'vitest'
import { cases } from './cases.ts'
import { play } from './play.ts'

const score = { caught: 0, escaped: 0, passed: 0, blocked: 0 }
let free = 2
const waiting: (() => void)[] = []

describe.concurrent('the gauntlet', () => {
  for (const one of cases)
    it(`${one.code} ${one.expect}: ${one.name}`, { timeout: 600_000 }, async () => {
      await turn()
      const caught = one.expect !== 'passes'
      try {
        await play(one)
        score[caught ? 'caught' : 'passed'] += 1
      } catch (error) {
        score[caught ? 'escaped' : 'blocked'] += 1
        throw error
      } finally {
        giveBack()
      }
    })
})

afterAll(() => {
  const { caught, escaped, passed, blocked } = score
  process.stdout.write(`\n${caught} caught, ${escaped} escaped; ${passed} honest passed, ${blocked} blocked\n`)
})

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
