import type { DecidingOptions } from '../decide.ts'
import { decideWith } from '../decide.ts'
import type { Cli } from '../world.ts'
import { findQuestion } from './find-question.ts'

export interface RejectOptions extends DecidingOptions {
  because: string
}

/** No, and why: the words go to whoever does it again. */
export async function reject(cli: Cli, name: string | undefined, options: RejectOptions): Promise<number> {
  return await decideWith(cli, options, (state) => {
    const { id } = findQuestion(state, 'reject', name)
    const { because: text } = options
    const intent = { type: 'AnswerQuestion', question: id, option: 'reject', text, by: cli.world.user } as const
    return { intent, said: `Rejected ${id}` }
  })
}
