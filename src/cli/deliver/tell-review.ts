import { openQuestions } from '../../delivery/questions/due.ts'
import type { DeliveryState } from '../../delivery/state.ts'
import { sarifOf } from '../../views/report/sarif.ts'
import { exitCodes } from '../exit-code.ts'
import { questionLines } from '../show/lines/question-lines.ts'
import { reviewLines } from '../show/lines/review-lines.ts'
import { jsonText } from '../show/screen.ts'
import type { Cli } from '../verb.ts'

interface Telling {
  sarif: boolean
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
  const { screen, desk, version } = cli
  const view = await desk.review(state)
  if (view === null) return exitCodes.error
  const waits = openQuestions(state)
  if (sarif) write(`${JSON.stringify(sarifOf(view, version), null, 2)}\n`)
  else if (screen.json) write(`${jsonText({ ...view, questions: waits, interrupted })}\n`)
  else {
    screen.print(...reviewLines(view), ...questionLines(waits, state.id))
    if (interrupted || waits.length > 0) screen.print(`Continue it with \`ropewalk resume ${state.id}\`.`)
  }
  if (interrupted) return exitCodes.operator
  if (waits.length > 0) return exitCodes.human
  if (view.verdict === null) return exitCodes.error
  return view.verdict === 'approve' ? exitCodes.done : exitCodes.human
}
