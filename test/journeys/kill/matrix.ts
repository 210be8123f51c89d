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
  const { last } = await finish(yard, walk, { args: walk.args, point: '' })
  exits(last, 0)
  const end = await endOf(yard)
  const problems = await problemsOf(yard, end, end)
  if (problems.length > 0) throw new Error(`undisturbed, and yet: ${problems.join('; ')}`)
  return end
}

export interface Kill {
  walk: Walk
  calm: End
  /** With all that it has started: git, agents, checks. */
  all: boolean
}

/** Killed with -9 when it comes by for the nth time, and resumed; null when it never came by. */
export async function killedAt(point: string, { walk, calm, all }: Kill): Promise<Row | null> {
  const yard = walk.open()
  const { killed, last } = await finish(yard, walk, { args: walk.args, point, all })
  if (!killed) return exits(last, 0) && null
  return await compared(yard, last, { point: `${point}${all ? withAll : ''}`, calm })
}

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
  const { last } = await finish(yard, walk, { args: ['resume'], point: '' })
  return await compared(yard, last, { point, calm })
}

export async function compared(yard: Yard, last: Said, { point, calm }: { point: string; calm: End }): Promise<Row> {
  const { code, stdout, stderr } = last
  if (code !== 0) return { point, turns: 0, problems: [`exit code ${code}: ${stderr || stdout.slice(-500)}`] }
  const end = await endOf(yard)
  return { point, turns: end.turns, problems: await problemsOf(yard, end, calm) }
}

const mostTurns = 6

/** Resumed when it was killed, approved when it waits, until it is over. */
export async function finish(yard: Yard, walk: Walk, begin: { args: string[]; point: string; all?: boolean }) {
  let { args } = begin
  let killed = false
  for (let turn = 1; ; turn++) {
    const last = await withUser(yard, walk, { args, point: killed ? '' : begin.point })
    if (last.signal === 'SIGKILL') {
      if (begin.all === true) endAll(yard)
      killed = true
      args = ['resume']
    } else if (last.code === 2 && /plan-\d/.test(last.stdout)) args = ['approve', '--resume']
    else return { killed, last }
    if (turn >= mostTurns) return { killed, last }
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
