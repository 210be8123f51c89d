import type { DecidingOptions } from '../decide.ts'
import { decideWith } from '../decide.ts'
import type { Cli } from '../world.ts'

export interface SkipOptions extends DecidingOptions {
  because: string
}

/** Leaves a story out, and with it what depends on it. */
export async function skip(cli: Cli, story: string, options: SkipOptions): Promise<number> {
  const intent = { type: 'SkipStory', story, reason: options.because, by: cli.world.user } as const
  return await decideWith(cli, options, () => ({ intent, said: `${story} is left out` }))
}
