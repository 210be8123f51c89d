import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { openQuestions } from '../../delivery/questions/due.ts'
import type { DeliveryState } from '../../delivery/state.ts'
import { TerminalError } from '../../ports/errors.ts'
import { sarifOf } from '../../views/report/sarif.ts'
import { shortId } from '../../views/step-text.ts'
import { exitCodes, onInterrupt } from '../ending.ts'
import { readGiven, refuseBoth } from '../given.ts'
import { questionLines } from '../show/delivery-lines.ts'
import { dim } from '../show/line.ts'
import { openProgress, type Progress } from '../show/progress.ts'
import { reviewLines } from '../show/review-lines.ts'
import { jsonText } from '../show/screen.ts'
import { type Cli, verb } from '../verb.ts'

const words = {
  says: 'review work that exists already: exit code 0 approved, 2 needs work, 1 no verdict',
  takes: {
    '<branch | range | pr>': 'a branch, a commit, a range such as main..topic, or the number of a pull request',
  },
  options: {
    '--base <revision>': 'where the work began (default: where it left the target branch)',
    '--requirement <text>': 'what the work was meant to do',
    '-f, --file <path>': 'read that from a file',
    '--criterion <text...>': 'what the work must fulfil, each in quotes',
    '--sarif': 'print SARIF, for code hosts and editors',
    '-o, --output <file>': 'write JSON or SARIF to this file',
  },
}

/** Reviews work that is there already, as a delivery of its own that changes nothing. */
export const reviewVerb = verb(words, async (cli, [what], options) => {
  const { screen, desk, cwd } = cli
  const { base, requirement, file, sarif, output, criterion = [] } = options
  const isDocument = screen.json || sarif
  refuseBoth({ '--json': screen.json, '--sarif': sarif })
  refuseBoth({ '--requirement': requirement, '--file': file })
  if (output !== undefined && !isDocument) throw new TerminalError('--output needs a format', 'add --json or --sarif')
  const description = file === undefined ? (requirement ?? '') : (await readGiven(cwd, file)).text
  const requested = await desk.requestReview({ what: what!, base, description, criteria: criterion })
  const { delivery, commit } = requested
  if (!isDocument) screen.print(dim(`Reviewing ${shortId(requested.base)}..${shortId(commit)} (${delivery})`))
  const shown = { pulses: await desk.pulses(), answeredElsewhere: false }
  // What goes to a file or another program is not mixed with what happens on the way.
  const { state, interrupted } = await driven(cli, delivery, isDocument ? null : openProgress(screen, shown))
  const write = output === undefined ? screen.document : (text: string) => writeFileSync(resolve(cwd, output), text)
  return await tellReview(cli, state, { sarif, interrupted, write })
})

interface Telling {
  sarif: boolean
  interrupted: boolean
  /** Where a document goes. */
  write: (text: string) => void
}

/** The review as it stands, and what a shell is told: 0 approved, 2 needs work or a human, 1 no verdict, 3 interrupted. */
export async function tellReview(
  { screen, desk, version }: Cli,
  state: DeliveryState,
  { sarif, interrupted, write }: Telling,
): Promise<number> {
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

async function driven({ desk }: Cli, delivery: string, progress: Progress | null) {
  const first = () => progress?.note('Interrupted: ending what is running.')
  const interrupt = onInterrupt({ first, again: () => {} })
  const changed: Progress['changed'] = (state, recorded) => progress?.changed(state, recorded)
  const { status, state } = await desk
    .drive(delivery, { signal: interrupt.signal, stay: false, changed })
    .finally(() => {
      interrupt.close()
      progress?.close('goes')
    })
  return { state, interrupted: status === 'interrupted' && state.mode.status !== 'ended' }
}
