import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { TerminalError } from '../../ports/errors.ts'
import { shortId } from '../../views/step-text.ts'
import { readGiven, refuseBoth } from '../given.ts'
import { dim } from '../show/line.ts'
import { openProgress } from '../show/progress.ts'
import { type Cli, verb } from '../verb.ts'
import { onInterrupt } from './interrupt.ts'
import { tellReview } from './tell-review.ts'

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
  const { screen, desk } = cli
  const { base, requirement, file, sarif, output, criterion = [] } = options
  refuseBoth({ '--json': screen.json, '--sarif': sarif })
  refuseBoth({ '--requirement': requirement, '--file': file })
  if (output !== undefined && !screen.json && !sarif)
    throw new TerminalError('--output needs a format', 'add --json or --sarif')
  const description = file === undefined ? (requirement ?? '') : (await readGiven(cli.cwd, file)).text
  const requested = await desk.requestReview({ what: what!, base, description, criteria: criterion })
  const { delivery } = requested
  if (!screen.json && !sarif)
    screen.print(dim(`Reviewing ${shortId(requested.base)}..${shortId(requested.commit)} (${delivery})`))
  return await driven(cli, delivery, options)
})

interface Document {
  sarif: boolean
  output: string | undefined
}

/** What goes to a file or another program is not mixed with what happens on the way. */
async function driven(cli: Cli, delivery: string, options: Document): Promise<number> {
  const { screen, desk } = cli
  const isDocument = screen.json || options.sarif
  const shown = { pulses: await desk.pulses(), answeredElsewhere: false }
  const progress = isDocument ? null : openProgress(screen, shown)
  const interrupt = onInterrupt({
    first: () => progress?.note('Interrupted: ending what is running.'),
    again: () => {},
  })
  const { signal } = interrupt
  const changed = (...[state, recorded]: Parameters<NonNullable<typeof progress>['changed']>) =>
    progress?.changed(state, recorded)
  const drove = await desk.drive(delivery, { signal, stay: false, changed }).finally(() => {
    interrupt.close()
    progress?.close('goes')
  })
  const interrupted = drove.status === 'interrupted' && drove.state.mode.status !== 'ended'
  return await tellReview(cli, drove.state, { ...options, interrupted, write: (text) => written(cli, text, options) })
}

function written({ screen, cwd }: Cli, text: string, { output }: Document): void {
  if (output === undefined) screen.document(text)
  else writeFileSync(resolve(cwd, output), text)
}
