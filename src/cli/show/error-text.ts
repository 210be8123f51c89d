import { diskFull, ownFilesGone, TerminalError, TransientError } from '../../ports/errors.ts'
import { isDiskFull } from '../../std/files.ts'
import { UnknownValueError } from '../../std/never.ts'
import { plainText } from '../../std/text/plain-text.ts'
import { jsonText } from './screen.ts'

/** What happened, why, and what to do; the same as JSON. */
export function describeError(
  error: unknown,
  env: { ROPEWALK_DEBUG?: string | undefined },
): { text: string; json: string } {
  const { message, remedy } = told(error)
  const stack = (env.ROPEWALK_DEBUG ?? '') === '' ? '' : stackOf(error)
  const text = plainText(`error: ${message}${remedy === '' ? '' : `\n  → ${remedy}`}${stack}`)
  return { text, json: jsonText({ error: message, remedy }) }
}

function told(error: unknown): { message: string; remedy: string } {
  const gone = ownFilesGone(error)
  if (gone !== null) return gone
  if (error instanceof TerminalError) return { message: error.message, remedy: error.remedy }
  if (isDiskFull(error)) return told(diskFull(error))
  if (error instanceof Error && /^(EROFS|EACCES|EPERM): /.test(error.message))
    return {
      message: `this is not allowed here: ${error.message}`,
      remedy: 'make it writable, or point ROPEWALK_HOME at a folder that is',
    }
  if (error instanceof TransientError) return { message: error.message, remedy: 'try again in a moment' }
  if (error instanceof UnknownValueError) return { message: error.message, remedy: ofAnother }
  const message = error instanceof Error ? error.message : String(error)
  return {
    message: `unexpected: ${message}`,
    remedy: 'this is a defect of Ropewalk. Nothing recorded is lost: `ropewalk resume`. ROPEWALK_DEBUG=1 shows where',
  }
}

const ofAnother =
  'it is in the log or in a file. If somebody changed that, restore it from a backup; if a newer ropewalk wrote it, upgrade; otherwise, please report it'

const stackOf = (error: unknown): string => (error instanceof Error ? `\n${error.stack}${stackOf(error.cause)}` : '')
