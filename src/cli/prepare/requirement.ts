import { isUtf8 } from 'node:buffer'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Requirement } from '../../delivery/intent/requirement.ts'
import { TerminalError } from '../../ports/errors.ts'
import { notARequirement } from '../../roles/interpreter/admission.ts'
import { addressesIn } from '../../std/text/addresses.ts'

const longest = 1_000_000

/** What is wanted, verbatim, and where it came from: an argument, a file, or standard input. */
export async function readRequirement(
  cwd: string,
  given: { text: string | undefined; file: string | undefined },
): Promise<{ text: string; source: string }> {
  const { text, file } = given
  if (text !== undefined && file !== undefined)
    throw new TerminalError('the requirement was given twice', 'give it as text or with --file, not both')
  if (text === undefined && file === undefined)
    throw new TerminalError(
      'no requirement was given',
      'say what is wanted, in quotes; or with -f <file>, or - for standard input',
    )
  const found = await read(cwd, text, file)
  if (found.text.trim() === '')
    throw new TerminalError(`the requirement is empty (${found.source})`, 'say what is wanted, in quotes')
  if (found.text.length > longest) throw tooLong()
  return found
}

const tooLong = (): TerminalError =>
  new TerminalError(
    `the requirement is longer than ${longest} characters`,
    'shorten it, or point to files in the repository',
  )

/** What is stored of it: with its links, however it came to us. */
export function requirementFrom(given: { text: string; source: string }, submitter: string): Requirement {
  const links = addressesIn(given.text).slice(0, mostLinks)
  return { ...given, submitter, ...(links.length === 0 ? {} : { links }) }
}

const mostLinks = 100

/** A question, or what is no text: nothing is begun for it. */
export function refuseWhatIsNone(text: string): void {
  const refused = notARequirement(text)
  if (refused !== null) throw new TerminalError(refused.why, refused.remedy)
}

async function read(cwd: string, text: string | undefined, file: string | undefined) {
  if (text === '-' || file === '-') return { text: await standardInput(), source: 'standard input' }
  if (file === undefined) return { text: text ?? '', source: 'command line' }
  return { text: await readText(resolve(cwd, file)), source: file }
}

async function standardInput(): Promise<string> {
  const pieces: Buffer[] = []
  let bytes = 0
  for await (const piece of process.stdin) {
    pieces.push(piece as Buffer)
    bytes += (piece as Buffer).length
    // Whatever comes, and though a letter may be cut in two here.
    if (bytes > 4 * longest) throw tooLong()
  }
  return decoded(Buffer.concat(pieces), 'standard input')
}

/** A file somebody named; when it cannot be read, that is their error to mend. */
export async function readText(path: string): Promise<string> {
  const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    const why = reasons[error.code ?? ''] ?? error.message
    throw new TerminalError(`cannot read ${path}: ${why}`, 'check the path')
  })
  return decoded(bytes, path)
}

const reasons: Record<string, string> = {
  ENOENT: 'it does not exist',
  EISDIR: 'it is a folder',
  EACCES: 'you may not read it',
}

/** Word for word or not at all: letters of another encoding would silently become others. */
function decoded(bytes: Buffer, source: string): string {
  if (isUtf8(bytes)) return new TextDecoder().decode(bytes)
  throw new TerminalError(`what is in ${source} is not text in UTF-8`, 'save it as UTF-8, then try again')
}
