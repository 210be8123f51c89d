import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { TerminalError } from '../../ports/errors.ts'
import { composed } from '../../views/report/compose.ts'
import { html, markdown } from '../../views/report/document.ts'
import { dateText } from '../show/line.ts'
import { jsonText } from '../show/screen.ts'
import { type Cli, deliveryArgument, deliveryOption, verb } from '../verb.ts'

const words = {
  says: 'write a report on a delivery for whoever asked for it',
  takes: deliveryArgument,
  options: {
    ...deliveryOption,
    '--html': 'one self-contained page instead of Markdown',
    '--internal': 'add attempts, findings, the full timeline and the cost by role',
    '-o, --output <file>': 'write it to this file',
  },
}

/** What a delivery brought, as a document. */
export const reportVerb = verb(words, async (cli, _, { delivery, internal, output, ...options }) => {
  const { desk, screen, cwd } = cli
  const view = await desk.report(delivery, { internal, readings: internal || screen.json })
  const form = options.html ? html : markdown
  const text = screen.json ? `${jsonText(view)}\n` : form(composed(view, (at) => dateText(at).slice(0, -3)))
  // On a terminal, lines of text are broken between words.
  if (output !== undefined) await write(cli, resolve(cwd, output), text)
  else if (screen.redraws && form === markdown) screen.print(...text.trimEnd().split('\n'))
  else screen.document(text)
})

async function write({ screen }: Cli, path: string, text: string): Promise<void> {
  try {
    await writeFile(path, text)
  } catch (error) {
    throw new TerminalError(`cannot write ${path}: ${(error as Error).message}`, 'name a file in a folder that exists')
  }
  screen.warn(`written to ${path}`)
}
