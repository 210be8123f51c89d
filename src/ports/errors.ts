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

/** The one remedy for it, wherever it shows. */
export const diskFull = (error: unknown): TerminalError =>
  new TerminalError(
    `disk full: ${error instanceof Error ? error.message.trim().slice(-600) : String(error)}`,
    'Free some space, for example with "ropewalk gc --yes", then resume.',
  )
