import { openQuestions } from '../../delivery/questions/due.ts'
import type { DeliveryState } from '../../delivery/state.ts'
import { TerminalError } from '../../ports/errors.ts'
import type { DecidingOptions } from '../decide.ts'
import { decideWith } from '../decide.ts'
import type { Cli } from '../world.ts'
import { answerIntent } from './answer-intent.ts'
import { optionNamed } from './option-named.ts'

export interface AnswerOptions extends DecidingOptions {
  text?: string
}

export type AnswerArguments = [question: string, option: string, text: string | undefined]

/** Answers an open question by the number or the id of one of its options. */
export async function answer(
  cli: Cli,
  [question, given, said]: AnswerArguments,
  options: AnswerOptions,
): Promise<number> {
  if (said !== undefined && options.text !== undefined)
    throw new TerminalError('the words were given twice', 'give them as the last argument or with --text, not both')
  const text = said ?? options.text ?? ''
  return await decideWith(cli, options, async (state) => {
    const option = optionIn(state, question, given)
    const intent = await answerIntent(cli, state, { question, option, text })
    return { intent, said: `Answered ${question}: ${option}` }
  })
}

/** Of a question that is not open the law itself says why. */
function optionIn(state: DeliveryState, id: string, given: string): string {
  const question = openQuestions(state).find((one) => one.id === id)
  return question === undefined ? given : optionNamed(question, given)
}
