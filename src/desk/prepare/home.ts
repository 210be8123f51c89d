import { accessSync, constants, mkdirSync } from 'node:fs'
import { TerminalError } from '../../ports/errors.ts'

/** Before anything is begun there: our home can be made and written to. */
export function requireHome(home: string): void {
  try {
    mkdirSync(home, { recursive: true, mode: 0o700 })
    accessSync(home, constants.W_OK)
  } catch (error) {
    const { message } = error as Error
    throw new TerminalError(
      `cannot write to ${home}: ${message}`,
      'point ROPEWALK_HOME at a folder that you may write to',
    )
  }
}
