import { openQuestions } from '../../delivery/questions/due.ts'
import type { DeliveryState } from '../../delivery/state.ts'
import { storiesOf } from '../../delivery/state.ts'
import { isSettled } from '../../delivery/story/story.ts'
import { TerminalError } from '../../ports/errors.ts'
import { counted } from '../../views/step-text.ts'
import type { DeliveryOption } from '../choose-delivery.ts'
import { decideWith } from '../decide.ts'
import type { Cli } from '../world.ts'

/** A human says that a landing which had to wait may go on: by its driver, or here when it has none. */
export async function land(cli: Cli, options: DeliveryOption): Promise<number> {
  const by = cli.world.user
  return await decideWith(cli, { ...options, resume: true }, (state) => {
    const said = 'The landing may go on'
    const question = openQuestions(state).find((one) => one.kind === 'landing')
    if (question !== undefined)
      return { intent: { type: 'AnswerQuestion', question: question.id, option: 'land', text: '', by }, said }
    // It has ended without landing: going on with it is landing it.
    if (state.mode.status === 'ended' && state.line.landing.status !== 'idle')
      return { intent: { type: 'ResumeDelivery', by }, said }
    throw nothingToLand(state)
  })
}

function nothingToLand(state: DeliveryState): TerminalError {
  const open = storiesOf(state).filter((story) => !isSettled(story)).length
  if (state.mode.status === 'ended')
    return new TerminalError(
      'no landing is waiting',
      '`ropewalk status` shows how it ended; `ropewalk resume` may go on',
    )
  return new TerminalError(
    open > 0
      ? `no landing is waiting: ${counted(open, 'story is', 'stories are')} not settled yet`
      : 'no landing is waiting for a yes',
    'landing happens by itself once everything is proven; `ropewalk status` shows what is missing',
  )
}
