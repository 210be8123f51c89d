import { openQuestions } from '../../delivery/questions/due.ts'
import type { DeliveryState } from '../../delivery/state.ts'
import type { ReviewView } from '../../views/review/review-view.ts'
import { reviewView } from '../../views/review/review-view.ts'
import { sarifOf } from '../../views/review/sarif.ts'
import { exitCodes } from '../exit-code.ts'
import { questionLines } from '../show/lines/question-lines.ts'
import { reviewLines } from '../show/lines/review-lines.ts'
import { jsonText } from '../show/screen.ts'
import type { Cli } from '../world.ts'

export interface Telling {
  sarif?: boolean
  interrupted: boolean
  /** Where a document goes. */
  write: (text: string) => void
}

/** The review as it stands, and what a shell is told: 0 approved, 2 needs work or a human, 1 no verdict, 3 interrupted. */
export async function tellReview(
  cli: Cli,
  state: DeliveryState,
  { sarif, interrupted, write }: Telling,
): Promise<number> {
  const { screen, world } = cli
  const view = await viewOf(cli, state)
  if (view === null) return exitCodes.error
  const waits = openQuestions(state)
  if (sarif === true) write(`${JSON.stringify(sarifOf(view, world.version), null, 2)}\n`)
  else if (screen.json) write(`${jsonText({ ...view, questions: waits, interrupted })}\n`)
  else {
    screen.print(...reviewLines(view), ...questionLines(waits, state.id))
    if (interrupted || waits.length > 0) screen.print(`It goes on with \`ropewalk resume ${state.id}\`.`)
  }
  if (interrupted) return exitCodes.operator
  if (waits.length > 0) return exitCodes.human
  if (view.verdict === null) return exitCodes.error
  return view.verdict === 'approve' ? exitCodes.done : exitCodes.human
}

async function viewOf({ world }: Cli, state: DeliveryState): Promise<ReviewView | null> {
  const subject = state.request?.review
  if (state.request == null || subject == null) return null
  const repository = await (await world.repositories(world.home)).open(state.request.repository)
  return reviewView(state, await world.core(await repository.diff(subject.base, subject.commit)))
}
