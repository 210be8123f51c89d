import { openQuestions } from '../../delivery/questions/due.ts'
import type { DeliveryState } from '../../delivery/state.ts'
import { storiesOf } from '../../delivery/state.ts'
import { isSettled } from '../../delivery/story/story.ts'
import { TerminalError } from '../../ports/errors.ts'
import type { DecidingOptions } from '../decide.ts'
import { decideWith } from '../decide.ts'
import type { Cli } from '../world.ts'

/** A human says that a landing which had to wait may go on. */
export async function land(cli: Cli, options: DecidingOptions): Promise<number> {
  const by = cli.world.user
  return await decideWith(cli, options, (state) => {
    const question = openQuestions(state).find((one) => one.kind === 'landing')
    if (question === undefined) throw nothingToLand(state)
    const intent = { type: 'AnswerQuestion', question: question.id, option: 'land', text: '', by } as const
    return { intent, said: 'The landing may go on' }
  })
}

function nothingToLand(state: DeliveryState): TerminalError {
  const open = storiesOf(state).filter((story) => !isSettled(story)).length
  const { mode, line } = state
  if (mode.status === 'ended' && line.commits.length > 0)
    return new TerminalError(
      `the delivery has ended (${mode.result}) with ${line.commits.length} proven commits on the line`,
      `they are kept under refs/ropewalk/${state.id}/line of our clone; see them with \`ropewalk diff\``,
    )
  if (mode.status === 'ended')
    return new TerminalError('there is nothing left to land', '`ropewalk status` shows the result')
  return new TerminalError(
    open > 0 ? `no landing is waiting: ${open} stories are not settled yet` : 'no landing is waiting for a yes',
    'landing happens by itself once everything is proven; `ropewalk status` shows what is missing',
  )
}
