import { openQuestions } from '../../delivery/questions/due.ts'
import type { Question } from '../../delivery/questions/question.ts'
import type { DeliveryState } from '../../delivery/state.ts'
import { TerminalError } from '../../ports/errors.ts'

/** The open question with this option that was meant: by its id, by its story, or because it is the only one. */
export function findQuestion(state: DeliveryState, option: string, name: string | undefined): Question {
  const open = openQuestions(state).filter((one) => one.options.some((each) => each.id === option))
  const fitting = name === undefined ? open : open.filter((one) => one.id === name || one.story === name)
  if (fitting.length === 1) return fitting[0]!
  const list = open.map((one) => one.id).join(', ')
  if (open.length === 0)
    throw new TerminalError(
      `nothing waits for "${option}"`,
      '`ropewalk status` shows open questions; `ropewalk resume` goes on to the point where one is asked',
    )
  throw new TerminalError(
    name === undefined ? `${open.length} questions wait for "${option}"` : `no open question is called ${name}`,
    `name one of: ${list}`,
  )
}
