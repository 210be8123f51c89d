import { expect } from 'vitest'
import { exits, type Said } from '../binary.ts'
import { processesOf } from '../untouched.ts'
import type { Yard } from '../yard.ts'
import { type End, endOf, problemsOf } from './end.ts'
import type { Walk } from './walk.ts'

export interface Row {
  point: string
  /** How many agents were started in all; more than in the undisturbed walk: a turn was paid again. */
  turns: number
  problems: string[]
}

export async function undisturbed(walk: Walk): Promise<End> {
  const yard = walk.open()
  const { last } = await finish(yard, walk, { args: walk.args })
  exits(last, 0)
  const end = await endOf(yard)
  const problems = await problemsOf(yard, end, end)
  if (problems.length > 0) throw new Error(`undisturbed, and yet: ${problems.join('; ')}`)
  return end
}

export interface Kill {
  point: string
  /** With all that it has started: git, agents, checks. */
  all: boolean
}

/**
 * Killed with -9 when it comes by for the nth time, resumed, and killed at the next point in the process that goes on;
 * null when it never came by at one of them.
 */
export async function killedAt(kills: Kill[], { walk, calm }: { walk: Walk; calm: End }): Promise<Row | null> {
  const yard = walk.open()
  const { left, last } = await finish(yard, walk, { args: walk.args, kills })
  if (left.length > 0) return exits(last, 0) && null
  return await compared(yard, last, {
    point: kills.map(({ point, all }) => `${point}${all ? withAll : ''}`).join('; '),
    calm,
  })
}

/** A delivery for each list of points, which it is killed at one after the other; two deliveries at once. */
export async function killedInEach(deliveries: string[][], on: { walk: Walk; calm: End }): Promise<(Row | string)[]> {
  return await inOrder(deliveries, 2, async (points) => {
    const row = await killedAt(
      points.map((point) => ({ point, all: false })),
      on,
    )
    return row ?? `one of these was not reached: ${points.join('; ')}`
  })
}

/** What all of them must be. */
export const sameEnds = (deliveries: string[][]): Row[] =>
  deliveries.map((points) => ({ point: points.join('; '), turns: expect.any(Number), problems: [] }))

export const withAll = ', with its processes'

export function endAll({ home }: Yard): void {
  for (const { pid } of processesOf(home))
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It ended with another.
    }
}

/** Goes on with a delivery that was killed, and compares. */
export async function resumed(yard: Yard, walk: Walk, { point, calm }: { point: string; calm: End }): Promise<Row> {
  const { last } = await finish(yard, walk, { args: ['resume'] })
  return await compared(yard, last, { point, calm })
}

export async function compared(yard: Yard, last: Said, { point, calm }: { point: string; calm: End }): Promise<Row> {
  const { code, stdout, stderr } = last
  if (code !== 0) return { point, turns: 0, problems: [`exit code ${code}: ${stderr || stdout.slice(-500)}`] }
  const end = await endOf(yard)
  return { point, turns: end.turns, problems: await problemsOf(yard, end, calm) }
}

const mostTurns = 6

/** Resumed when it was killed, approved when it waits, until it is over. What is left are kills that it never came to. */
export async function finish(yard: Yard, walk: Walk, begin: { args: string[]; kills?: Kill[] }) {
  let { args } = begin
  const { kills = [] } = begin
  let left = kills
  for (let turn = 1; ; turn++) {
    const last = await withUser(yard, walk, { args, point: left[0]?.point ?? '' })
    if (last.signal === 'SIGKILL') {
      if (left[0]?.all === true) endAll(yard)
      left = left.slice(1)
      args = ['resume']
    } else if (last.code === 2 && /plan-\d/.test(last.stdout)) args = ['approve', '--resume']
    else return { left, last }
    if (turn >= mostTurns + kills.length) return { left, last }
  }
}

async function withUser(yard: Yard, walk: Walk, { args, point }: { args: string[]; point: string }): Promise<Said> {
  const running = yard.start(args, { env: point === '' ? {} : { ROPEWALK_CRASH_AT: point } })
  let over = false
  const done = running.done.finally(() => {
    over = true
  })
  while (!over) {
    await walk.meanwhile(yard)
    await Promise.race([done, new Promise((look) => setTimeout(look, 50))])
  }
  return await done
}

/** So many at once, in their order. */
export async function inOrder<In, Out>(given: In[], atOnce: number, act: (one: In) => Promise<Out>): Promise<Out[]> {
  const results: Out[] = []
  let next = 0
  const worker = async (): Promise<void> => {
    for (let index = next++; index < given.length; index = next++) results[index] = await act(given[index]!)
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  return results
}
