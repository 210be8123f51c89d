import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { AgentStep } from '../../delivery/step.ts'
import type { Performance } from '../../ports/performer.ts'
import { readText } from '../place/text.ts'
import type { StepWorld } from '../world.ts'

/** Where everything is that the agent printed in one turn of a try: the first, or the n-th time it was asked again. */
export const transcriptOf = (
  world: StepWorld,
  { state, step }: Performance<AgentStep>,
  { try: number, again }: { try: number; again: number },
): string => world.places.spool(state.id, `${step.id}-${number}${again === 0 ? '' : `.${again}`}.transcript`)

/** Where a role that must answer writes its JSON in this try: a folder for it alone, which holds no other's words. */
export const resultFileOf = (world: StepWorld, { state, step, try: number }: Performance<AgentStep>): string =>
  join(world.places.result(state.id, 'answers'), `${step.id}-${number}`, 'answer.json')

/** What an agent prints comes through our hands; this it writes itself, so secrets are taken out when its turn is over. */
export async function redactResult(world: StepWorld, performance: Performance<AgentStep>): Promise<void> {
  const path = resultFileOf(world, performance)
  const text = await readText(path)
  if (text === null) await rm(path, { recursive: true, force: true })
  else if (world.redact(text) !== text) await writeFile(path, world.redact(text), { mode: 0o600 })
}
