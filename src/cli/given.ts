import { isUtf8 } from 'node:buffer'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Plan } from '../delivery/plan/plan.ts'
import type { WantedText } from '../desk/prepare/request.ts'
import { TerminalError } from '../ports/errors.ts'

const longest = 1_000_000

/** What is wanted, verbatim, and where it came from: an argument, a file, or standard input. */
export async function givenRequirement(
  cwd: string,
  given: { text: string | undefined; file: string | undefined },
): Promise<WantedText> {
  const { text, file } = given
  if (text !== undefined && file !== undefined)
    throw new TerminalError('the requirement was given twice', 'give it as text or with --file, not both')
  if (text === undefined && file === undefined)
    throw new TerminalError(
      'no requirement was given',
      'put it in quotes, name a file with -f <file>, or give - to read standard input',
    )
  const found = await read(cwd, text, file)
  if (found.text.trim() === '')
    throw new TerminalError(`the requirement is empty (${found.source})`, 'say in quotes what you want')
  if (found.text.length > longest) throw tooLong()
  return found
}

const tooLong = (): TerminalError =>
  new TerminalError(
    `the requirement is longer than ${longest} characters`,
    'shorten it, or point to files in the repository',
  )

async function read(cwd: string, text: string | undefined, file: string | undefined): Promise<WantedText> {
  if (text === '-' || file === '-') return { text: await standardInput(), source: 'standard input' }
  if (file === undefined) return { text: text ?? '', source: 'command line' }
  return { text: (await readGiven(cwd, file)).text, source: file }
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

/** A file that somebody named. If it cannot be read, that is their error to fix. */
export async function readGiven(cwd: string, file: string): Promise<{ text: string; place: string }> {
  const place = resolve(cwd, file)
  const bytes = await readFile(place).catch((error: NodeJS.ErrnoException) => {
    const why = reasons[error.code ?? ''] ?? error.message
    throw new TerminalError(`cannot read ${place}: ${why}`, 'check the path')
  })
  return { text: decoded(bytes, place), place }
}

const reasons: Record<string, string> = {
  ENOENT: 'it does not exist',
  EISDIR: 'it is a folder',
  EACCES: 'you may not read it',
}

/** Word for word or not at all: letters of another encoding would silently become others. */
function decoded(bytes: Buffer, source: string): string {
  if (isUtf8(bytes)) return new TextDecoder().decode(bytes)
  throw new TerminalError(`${source} is not text in UTF-8`, 'save it as UTF-8, then try again')
}

/** A plan that somebody has in a file. What reads it is large: only who gives a plan waits for it. */
export const readPlan = async (cwd: string, file: string): Promise<Plan> =>
  (await import('../desk/prepare/preflight.ts')).planIn(await readGiven(cwd, file))

/** A whole number, as it was typed for an option. */
export function wholeNumber(option: string, text: string): number {
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text)
  throw new TerminalError(`${option} ${text} is not a number that fits here`, 'give a whole number from 1 to 999999')
}

/** Of several ways to say the same, a person may choose one. */
export function refuseBoth(ways: Record<string, unknown>): void {
  const given = Object.entries(ways).filter(([, value]) => value !== undefined && value !== false)
  if (given.length < 2) return
  const names = given.map(([name]) => name)
  throw new TerminalError(`${names.join(' and ')} cannot be used together`, 'give one of them')
}
