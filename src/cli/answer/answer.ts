import type { DecidingOptions } from '../decide.ts'
import { decideWith } from '../decide.ts'
import type { Cli } from '../world.ts'

export interface AnswerOptions extends DecidingOptions {
  text?: string
}

export async function answer(cli: Cli, [question, option]: [string, string], options: AnswerOptions): Promise<number> {
  const text = options.text ?? ''
  const intent = { type: 'AnswerQuestion', question, option, text, by: cli.world.user } as const
  return await decideWith(cli, options, () => ({ intent, said: `Answered ${question}: ${option}` }))
}
