import type { DecidingOptions } from '../decide.ts'
import { decideWith } from '../decide.ts'
import type { Cli } from '../world.ts'

export interface RetryOptions extends DecidingOptions {
  advice?: string
}

/** Another set of attempts for a story, with a word of advice. */
export async function retry(cli: Cli, story: string, options: RetryOptions): Promise<number> {
  const intent = { type: 'RetryStory', story, advice: options.advice ?? '', by: cli.world.user } as const
  return await decideWith(cli, options, () => ({ intent, said: `${story} is to be tried again` }))
}
