import type { DecidingOptions } from '../decide.ts'
import { decideWith } from '../decide.ts'
import type { Cli } from '../world.ts'
import { findQuestion } from './find-question.ts'

/** Yes to the plan, or to a story that waits at its gate. */
export async function approve(cli: Cli, name: string | undefined, options: DecidingOptions): Promise<number> {
  return await decideWith(cli, options, (state) => {
    const { id } = findQuestion(state, 'approve', name)
    const intent = { type: 'AnswerQuestion', question: id, option: 'approve', text: '', by: cli.world.user } as const
    return { intent, said: `Approved ${id}` }
  })
}
