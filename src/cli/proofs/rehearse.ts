import { TerminalError } from '../../ports/errors.ts'
import type { Cli } from '../cli.ts'
import { interruptible, leaveAtOnce } from '../deliver/interrupt.ts'
import { exitCodes } from '../exit-code.ts'
import { wholeNumber } from '../given.ts'
import { openDoing } from '../show/redraw.ts'
import { rehearsalLines } from './rehearsal-lines.ts'
import { rehearsedRunLine } from './run-lines.ts'

export interface RehearseOptions {
  last?: string
  run?: boolean
  sample?: string
}

/** What the judges would have said of the history that is here. Ctrl-C ends it, and what is known by then is told. */
export async function rehearse({ desk, screen }: Cli, [range]: string[], options: RehearseOptions): Promise<number> {
  const asked = { range, last: lastOf(range, options), sample: sampleSize(options) }
  const doing = openDoing(screen)
  const view = await interruptible(
    (signal) =>
      desk.rehearse({
        ...{ ...asked, signal },
        onStep: doing.now,
        onRun: (place, run) => {
          doing.clear()
          // Beside a document, so that whoever waits for it sees that it goes on.
          const print = screen.json ? screen.warn : screen.print
          print(rehearsedRunLine(place, run))
        },
      }),
    { first: doing.interrupted, ...leaveAtOnce },
  ).finally(doing.clear)
  screen.show(view, () => rehearsalLines(view))
  return view.interrupted ? exitCodes.operator : exitCodes.done
}

const defaultLast = 200
const defaultSample = 20

function lastOf(range: string | undefined, { last }: RehearseOptions): number | null {
  if (last !== undefined) return wholeNumber('--last', last)
  return range === undefined ? defaultLast : null
}

/** 0: nothing is run. */
function sampleSize({ run, sample }: RehearseOptions): number {
  if (run === true) return sample === undefined ? defaultSample : wholeNumber('--sample', sample)
  if (sample === undefined) return 0
  throw new TerminalError('--sample says how many commits are run, so it needs --run', 'add --run')
}
