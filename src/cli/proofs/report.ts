import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { TerminalError } from '../../ports/errors.ts'
import { composed } from '../../views/report/compose.ts'
import { html } from '../../views/report/html.ts'
import { markdown } from '../../views/report/markdown.ts'
import type { Cli } from '../cli.ts'
import { jsonText } from '../show/screen.ts'
import { dateText } from '../show/time.ts'

interface ReportOptions {
  html?: boolean
  internal?: boolean
  output?: string
  json?: boolean
}

/** What a delivery brought, as a document. */
export async function reportVerb(cli: Cli, [name]: string[], options: ReportOptions): Promise<number> {
  const { desk, screen, cwd } = cli
  const { json = false, internal = false, output } = options
  const view = await desk.report(name, { internal, readings: internal || json })
  const form = options.html === true ? html : markdown
  const text = json ? `${jsonText(view)}\n` : form(composed(view, (at) => dateText(at).slice(0, -3)))
  // On a terminal, lines of text are broken between words.
  if (output !== undefined) await write(cli, resolve(cwd, output), text)
  else if (screen.redraws && form === markdown) screen.print(...text.trimEnd().split('\n'))
  else screen.document(text)
  return 0
}

async function write({ screen }: Cli, path: string, text: string): Promise<void> {
  try {
    await writeFile(path, text)
  } catch (error) {
    throw new TerminalError(`cannot write ${path}: ${(error as Error).message}`, 'name a file in a folder that exists')
  }
  screen.warn(`written to ${path}`)
}
