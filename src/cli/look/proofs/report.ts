import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { load } from '../../../engine/load.ts'
import { TerminalError } from '../../../ports/errors.ts'
import { composed } from '../../../views/report/compose.ts'
import { html } from '../../../views/report/html.ts'
import { markdown } from '../../../views/report/markdown.ts'
import { reportView } from '../../../views/report/report.ts'
import { chooseDelivery } from '../../choose-delivery.ts'
import { jsonText } from '../../show/screen.ts'
import { dateText } from '../../show/time.ts'
import type { Cli } from '../../world.ts'
import { readingsOf } from './readings.ts'

export interface ReportOptions {
  html?: boolean
  internal?: boolean
  output?: string
  json?: boolean
}

/** What a delivery brought, as a document. */
export async function report(cli: Cli, name: string | undefined, options: ReportOptions): Promise<number> {
  const log = await cli.world.log()
  const { delivery } = await chooseDelivery(cli, log, name)
  const [state, events] = await Promise.all([load(log, delivery), log.read(delivery, 0)])
  const internal = options.internal === true
  const readings = internal || options.json === true ? await readingsOf(cli, state, events) : []
  const view = reportView(state, events, { at: Date.now(), internal, readings })
  const document = composed(view, (at) => dateText(at).slice(0, -3))
  const form = options.html === true ? html : markdown
  const text = options.json === true ? `${jsonText(view)}\n` : form(document)
  // On a terminal, lines of text are broken between words.
  const asLines = cli.screen.redraws && form === markdown && options.output === undefined
  if (asLines) cli.screen.print(...text.trimEnd().split('\n'))
  else if (options.output === undefined) cli.screen.document(text)
  else await write(cli, resolve(cli.cwd, options.output), text)
  return 0
}

async function write({ screen }: Cli, path: string, text: string): Promise<void> {
  try {
    await writeFile(path, text)
  } catch (error) {
    throw new TerminalError(
      `cannot write ${path}: ${(error as Error).message}`,
      'name a file in a folder that is there',
    )
  }
  screen.warn(`written to ${path}`)
}
