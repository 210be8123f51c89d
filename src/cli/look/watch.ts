import { openQuestions } from '../../delivery/questions/due.ts'
import { deliveryWord, summaryView } from '../../views/summary.ts'
import { whileRead } from '../deliver/interrupt.ts'
import { exitCodeOf, exitCodes } from '../exit-code.ts'
import { questionLines } from '../show/lines/question-lines.ts'
import { summaryLines } from '../show/lines/summary-lines.ts'
import { openProgress } from '../show/progress.ts'
import { deliveryArgument, deliveryOption, verb } from '../verb.ts'

const words = {
  says: 'follow a delivery that another process drives',
  takes: deliveryArgument,
  options: deliveryOption,
}

/** Shows a delivery as it goes on, until it ends or nobody drives it any more. Changes nothing. */
export const watchVerb = verb(words, async ({ desk, screen }, _, { delivery }) => {
  const progress = openProgress(screen, { pulses: await desk.pulses(), answeredElsewhere: true })
  const { changed } = progress
  const { state, interrupted } = await whileRead(async (signal) => {
    const watched = await desk.watch(delivery, { signal, changed })
    return { state: watched, interrupted: signal.aborted }
  })
  const isOver = state.mode.status === 'ended'
  progress.close(isOver ? 'goes' : 'stays')
  if (interrupted) return exitCodes.operator
  const at = Date.now()
  const summary = summaryView(state, at)
  screen.show({ summary }, () =>
    isOver
      ? summaryLines(summary)
      : [...questionLines(openQuestions(state)), 'No process is driving it: continue with `ropewalk resume`.'],
  )
  return exitCodeOf(deliveryWord(state, at))
})
