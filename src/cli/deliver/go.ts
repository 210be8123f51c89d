import { openQuestions } from '../../delivery/questions/due.ts'
import { drive } from '../../engine/drive.ts'
import type { Drive, EngineWorld } from '../../engine/world.ts'
import { TerminalError } from '../../ports/errors.ts'
import type { Lease } from '../../ports/event-log.ts'
import { never } from '../../std/never.ts'
import { listening } from '../../std/running/telling.ts'
import { summaryView } from '../../views/summary.ts'
import { deliveryWord } from '../../views/word.ts'
import { exitCodeOf, exitCodes } from '../exit-code.ts'
import { questionLines } from '../show/lines/question-lines.ts'
import { summaryLines } from '../show/lines/summary-lines.ts'
import { openProgress } from '../show/progress.ts'
import type { Cli } from '../world.ts'
import { answering } from './answering.ts'
import { onInterrupt } from './interrupt.ts'

export interface GoRequest {
  delivery: string
  /** Stay although only a human can help. */
  stay: boolean
}

/** Drives a delivery while it is shown, until it ends, has to wait, or is interrupted. */
export async function go(cli: Cli, { delivery, stay }: GoRequest): Promise<number> {
  const { screen, world } = cli
  const pulses = await world.pulses()
  const progress = openProgress(screen, {
    pulses: () => pulses.of(delivery),
    answeredElsewhere: stay && !screen.interactive,
  })
  const questions = screen.interactive ? answering(cli, delivery, { progress, giveUp: () => interrupt.trip() }) : null
  const engine = await world.engine((state, recorded) => {
    progress.changed(state, recorded)
    questions?.look(state)
  })
  const interrupt = onInterrupt({
    first: () => progress.note('Interrupted: ending what is running. Ctrl-C once more kills it.'),
    again: () => void killSwitch(cli, engine, delivery),
  })
  try {
    const request = { delivery, signal: interrupt.signal, stay: stay || screen.interactive }
    const drove = await listening(
      (text) => progress.note(text),
      () => drive(engine, request),
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

/** Everything of this delivery on this machine ends now; the log knows how to go on. */
async function killSwitch({ screen }: Cli, engine: EngineWorld, delivery: string): Promise<void> {
  await engine.sweep(`${engine.homeTag}:${delivery}:`)
  screen.warn('Killed; nothing is lost: `ropewalk resume`')
  process.exit(exitCodes.operator)
}

async function tell(cli: Cli, drove: Drive): Promise<number> {
  const { screen } = cli
  switch (drove.status) {
    case 'busy':
      throw busyError(drove.lease)
    case 'fenced':
      throw new TerminalError(
        'another process has taken this delivery over; this one wrote nothing more',
        'follow it with `ropewalk watch`',
      )
    case 'ended':
    case 'waiting':
    case 'paused':
    case 'interrupted':
      break
    default:
      never(drove)
  }
  const at = Date.now()
  const { state } = drove
  const summary = summaryView(state, at)
  const interrupted = drove.status === 'interrupted' && state.mode.status !== 'ended'
  if (state.request?.review != null) {
    const { tellReview } = await import('../review/tell-review.ts')
    return await tellReview(cli, state, { interrupted, write: screen.document })
  }
  if (screen.json) screen.emit({ summary: { ...summary, interrupted } })
  else if (interrupted) screen.print('Interrupted; nothing is lost: `ropewalk resume`')
  else screen.print(...summaryLines({ ...summary, next: drove.status === 'waiting' ? [] : summary.next }))
  if (!screen.json && drove.status === 'waiting')
    screen.print(...questionLines(openQuestions(state)), 'Answer, then `ropewalk resume` (or answer with --resume).')
  return interrupted ? exitCodes.operator : exitCodeOf(deliveryWord(state, at))
}

export function busyError(lease: Lease | null): TerminalError {
  const who = lease === null ? 'another process' : `process ${lease.pid} on ${lease.host}`
  return new TerminalError(
    `this delivery is being driven by ${who}`,
    'follow it with `ropewalk watch`; if that process is gone, `ropewalk unlock`',
  )
}
