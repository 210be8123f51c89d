import { oneLine } from '../../std/text/plain-text.ts'
import type { Cli } from '../cli.ts'
import { interruptible, leaveAtOnce } from '../deliver/interrupt.ts'
import { exitCodes } from '../exit-code.ts'
import { refuseBoth } from '../given.ts'
import { dim } from '../show/line.ts'
import { openDoing } from '../show/redraw.ts'
import { begunText, regressionLines, runLine } from './regression-lines.ts'

export interface RegressOptions {
  since?: string
  check?: string
  run?: string
}

/** With which story a check became red, and whether reverting it would help. Each run is told when it ends. */
export async function regress({ desk, screen }: Cli, [range]: string[], options: RegressOptions): Promise<number> {
  const { since, check, run: command } = options
  refuseBoth({ 'a range': range, '--since': since })
  refuseBoth({ '--check': check, '--run': command })
  const doing = openDoing(screen)
  const view = await interruptible(
    (signal) =>
      desk.regress({
        ...{ range, since, check, run: command, signal },
        onStart: (run) => doing.now(begunText(run)),
        onRun: (run, runs) => {
          doing.clear()
          if (screen.json) return
          if (run.number === 1 && !run.again) screen.print(dim(`${run.check}: ${oneLine(runs, 200)}`))
          screen.print(runLine(run))
        },
      }),
    { first: doing.interrupted, ...leaveAtOnce },
  ).finally(doing.clear)
  if (view === null) return exitCodes.operator
  screen.show(view, () => regressionLines(view))
  return view.result.status === 'green' ? exitCodes.done : exitCodes.human
}
