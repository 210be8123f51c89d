import { openQuestions } from '../../delivery/questions/due.ts'
import { listening } from '../../std/running/telling.ts'
import { deliveryWord, summaryView } from '../../views/summary.ts'
import { exitCodeOf, exitCodes } from '../exit-code.ts'
import { questionLines } from '../show/lines/question-lines.ts'
import { summaryLines } from '../show/lines/summary-lines.ts'
import { openProgress } from '../show/progress.ts'
import type { Cli } from '../verb.ts'
import { answering } from './answering.ts'
import { onInterrupt } from './interrupt.ts'

interface GoRequest {
  delivery: string
  /** Stay although only a human can help. */
  stay: boolean
}

type Drove = Awaited<ReturnType<Cli['desk']['drive']>>

/** Drives a delivery while it is shown, until it ends, has to wait, or is interrupted. */
export async function driveHere(cli: Cli, { delivery, stay }: GoRequest): Promise<number> {
  const { screen, desk } = cli
  const answeredElsewhere = stay && !screen.interactive
  const progress = openProgress(screen, { pulses: await desk.pulses(), answeredElsewhere })
  const questions = screen.interactive ? answering(cli, delivery, { progress, giveUp: () => interrupt.trip() }) : null
  const interrupt = onInterrupt({
    first: () => progress.note('Interrupted: ending what is running. Press Ctrl-C once more to kill it.'),
    again: () => void killSwitch(cli, delivery),
  })
  try {
    const driving = {
      signal: interrupt.signal,
      stay: stay || screen.interactive,
      changed: (...[state, recorded]: Parameters<typeof progress.changed>) => {
        progress.changed(state, recorded)
        questions?.look(state)
      },
    }
    const drove = await listening(
      (text) => progress.note(text),
      () => desk.drive(delivery, driving),
    )
    await questions?.close()
    progress.close(drove.status === 'ended' ? 'goes' : 'stays')
    return await tell(cli, drove)
  } finally {
    await questions?.close()
    progress.close('stays')
    interrupt.close()
  }
}

/** Everything of this delivery on this machine ends now; the log knows how to continue. */
async function killSwitch({ screen, desk }: Cli, delivery: string): Promise<void> {
  await desk.sweep(delivery)
  screen.warn('Killed. Nothing is lost: continue with `ropewalk resume`.')
  process.exit(exitCodes.operator)
}

async function tell(cli: Cli, { status, state }: Drove): Promise<number> {
  const { screen } = cli
  const at = Date.now()
  const summary = summaryView(state, at)
  const interrupted = status === 'interrupted' && state.mode.status !== 'ended'
  if (state.request?.review != null) {
    const { tellReview } = await import('./tell-review.ts')
    return await tellReview(cli, state, { sarif: false, interrupted, write: screen.document })
  }
  screen.show({ summary: { ...summary, interrupted } }, () => {
    if (interrupted) return ['Interrupted. Nothing is lost: continue with `ropewalk resume`.']
    if (status !== 'waiting') return summaryLines(summary)
    return [
      ...summaryLines({ ...summary, next: [] }),
      ...questionLines(openQuestions(state)),
      'Answer, then run `ropewalk resume` (or answer with --resume).',
    ]
  })
  return interrupted ? exitCodes.operator : exitCodeOf(deliveryWord(state, at))
}
