import type { Intent } from '../delivery/intents.ts'
import type { Submitted } from '../engine/submit.ts'
import { submit } from '../engine/submit.ts'
import { TerminalError } from '../ports/errors.ts'
import type { Visit } from './world.ts'

/** Puts what a visitor asks for to the law; what it refuses is their error. */
export async function putIntent(
  { world, user }: Visit,
  delivery: string,
  intent: Intent,
): Promise<Exclude<Submitted, { refused: string }>> {
  const submitted = await submit(await world.intake(), { delivery, intent, actor: user })
  if ('refused' in submitted) throw new TerminalError(submitted.refused, submitted.remedy)
  return submitted
}
