import { valuesIn } from '../prompt/values.ts'
import { type ReadPlan, readPlan } from './contract.ts'

/** The plan in what a planner has written: its result file, else the last thing in its text that reads like one. */
export async function planIn(resultFile: string | null, text: string): Promise<ReadPlan> {
  let best: ReadPlan = { ok: false, problems: ['there is no plan in the answer'] }
  for await (const value of valuesIn(resultFile, text)) {
    if (!mentionsStories(value)) continue
    const read = readPlan(value)
    if (read.ok) return read
    if (best.problems[0] === 'there is no plan in the answer') best = read
  }
  return best
}

function mentionsStories(value: unknown): boolean {
  if (value === null || typeof value !== 'object') return false
  return Array.isArray(value) ? value.some((one) => one?.id !== undefined) : 'stories' in value
}
