import { exits } from '../binary.ts'
import type { Yard } from '../yard.ts'
import { type End, endOf, openWalk, problemsOf, walkArgs } from './walk.ts'

export interface Row {
  point: string
  /** How many agents were started in all; more than in the undisturbed walk: a turn was paid again. */
  turns: number
  problems: string[]
}

export async function undisturbed(): Promise<End> {
  const yard = openWalk()
  exits(await yard.ropewalk(...walkArgs), 0)
  const end = await endOf(yard)
  const problems = await problemsOf(yard, end, end)
  if (problems.length > 0) throw new Error(`undisturbed, and yet: ${problems.join('; ')}`)
  return end
}

/** Killed with -9 when it comes by for the nth time, and resumed; null when it never came by. */
export async function killedAt(point: string, calm: End): Promise<Row | null> {
  const yard = openWalk()
  const said = await yard.start(walkArgs, { env: { ROPEWALK_CRASH_AT: point } }).done
  if (said.signal !== 'SIGKILL') return exits(said, 0) && null
  return await resumed(yard, point, calm)
}

export async function resumed(yard: Yard, point: string, calm: End): Promise<Row> {
  const { code, stdout, stderr } = await yard.ropewalk('resume')
  if (code !== 0) return { point, turns: 0, problems: [`resume exits with ${code}: ${stderr || stdout.slice(-500)}`] }
  const end = await endOf(yard)
  return { point, turns: end.turns, problems: await problemsOf(yard, end, calm) }
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
