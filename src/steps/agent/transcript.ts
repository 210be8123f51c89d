import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Briefing } from '../../delivery/inputs/briefing.ts'
import type { AgentStep } from '../../delivery/step.ts'
import { hashOf } from '../../std/hash.ts'
import { readText } from '../place/text.ts'
import type { Copies, StepWork } from '../work.ts'

/** A step that an agent takes its turns for. */
export type Asking<S extends AgentStep = AgentStep> = StepWork<S, Copies, Briefing>

/** What is known of its turns also where nobody will take another. */
export type Begun = Omit<Asking, 'repository'>

/** Where everything is that the agent printed in one turn of a try: the first, or the n-th time it was asked again. */
export const transcriptOf = (
  { world, input, step }: Begun,
  { try: number, again }: { try: number; again: number },
): string => world.places.spool(input.delivery, `${step.id}-${number}${again === 0 ? '' : `.${again}`}.transcript`)

/** Where a role that must answer writes its JSON in this try: a folder for it alone, which holds no other's words. */
export const resultFileOf = ({ world, input, step, try: number }: Begun): string =>
  join(world.places.result(input.delivery, 'answers'), `${step.id}-${number}`, 'answer.json')

/** What it has written there, without secrets; null: nothing. */
export async function writtenResult(work: Asking): Promise<string | null> {
  const text = await readText(resultFileOf(work))
  return text === null ? null : work.world.redact(text)
}

/** What an agent prints comes through our hands; this it writes itself, so secrets are taken out when its turn is over. */
export async function redactResult(work: Begun): Promise<void> {
  const path = resultFileOf(work)
  const text = await readText(path)
  const redacted = text === null ? null : work.world.redact(text)
  if (redacted === null) await rm(path, { recursive: true, force: true })
  else if (redacted !== text) await writeFile(path, redacted, { mode: 0o600 })
}

/** Where an answer is about no commit: neither the repository nor the requirement can have named it before. */
export const nonceOf = ({ input, step }: Pick<Asking, 'input' | 'step'>): string =>
  hashOf([input.delivery, step.id, 'nonce'])
