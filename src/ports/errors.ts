/** The world hiccups: network, a busy lock. The engine tries again shortly, then parks the step. */
export class TransientError extends Error {
  override name = 'TransientError'
}

/** The world says no: bad credentials, repository gone, disk full. Recorded, and a human is asked. */
export class TerminalError extends Error {
  override name = 'TerminalError'
  readonly remedy: string
  constructor(message: string, remedy: string) {
    super(message)
    this.remedy = remedy
  }
}

/** No work is at fault, but the machine or the settings: nothing is charged to anybody, and nothing else is begun. */
export class EnvironmentError extends TerminalError {
  override name = 'EnvironmentError'
}

/** A part of Ropewalk is loaded when it is needed first; by then another version may lie there. */
export function ownFilesGone(error: unknown): EnvironmentError | null {
  if ((error as NodeJS.ErrnoException | null)?.code !== 'ERR_MODULE_NOT_FOUND') return null
  const said = (error as Error).message.split('\n', 1)[0]!.slice(0, 200)
  const remedy =
    'Nothing is lost. `ropewalk resume` goes on with the version that is installed now; else install it anew.'
  return new EnvironmentError(`a part of Ropewalk is gone, perhaps replaced while it ran: ${said}`, remedy)
}

/** In one form, with the one remedy, whoever has found it out. */
export function diskFull(error: unknown): TerminalError {
  if (error instanceof TerminalError) return error
  const said = error instanceof Error ? error.message.trim() : String(error)
  const [last = ''] = said.split('\n').slice(-1)
  const remedy = 'Free some space, for example with "ropewalk gc --yes", then resume.'
  return new TerminalError(`disk full: ${last.slice(-160)}`, remedy)
}
